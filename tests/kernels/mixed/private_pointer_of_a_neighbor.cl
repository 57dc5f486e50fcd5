// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// RUN: --global=16 --local=8 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// SAYS: read of 4 bytes through a pointer to private memory 'x' of another work-item
// DUMP 0: [0] * N
kernel void k(global int *o)
{
    local ulong at[8];
    int i = get_local_id(0), x = 7 * i + 1;
    at[i] = (ulong)&x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *other = (int *)at[(i + 1) % 8];
    o[get_global_id(0)] = *other; // EXPECT address-space 'x'
}
