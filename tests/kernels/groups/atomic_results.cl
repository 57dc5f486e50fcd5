// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=2 --arg=long[3]=0 --arg=int[96]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [96 * 95 // 2, 95, 48]
// DUMP 1: [1] * 96
// 64-bit atomics at one place by small groups that run together.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void counters(global long *p, global int *taken)
{
    int i = get_global_id(0);
    atom_add(&p[0], i);
    atom_max(&p[1], i);
    if (get_local_id(0)) atom_inc(&p[2]);
    atomic_inc(&taken[i]);
}
