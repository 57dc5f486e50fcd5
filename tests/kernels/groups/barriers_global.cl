// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[65]=iota --arg=int[64]=0
// RUN: --global=64 --local=16 --arg=int[65]=iota --arg=int[64]=0
// RUN: --global=60 --local=12 --arg=int[65]=iota --arg=int[64]=0
// A barrier orders the accesses of a group to global memory, not those of the next one, also where both run together.
kernel void shift(global int *a, global int *o)
{
    const int i = get_global_id(0);
    a[i] = i;                 // OTHER data-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[i] = a[i ^ 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0 && i) a[i - 1] = o[i]; // EXPECT data-race 'a'
}
