// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=ulong[1]=0 --build-options=-cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global int *o, global ulong *top)
{
    int i = get_global_id(0), x = i;
    ulong old = atom_xchg(top, (ulong)&x);
    o[i] = old ? *(private int *)old : 0; // EXPECT address-space 'x'
}
