// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Atomics before and after a barrier conflict: the first is of the sum, the second is of all.
// DUMP 1: None
kernel void count(global const int *x, global int *y)
{
    local int sum;
    int l = get_local_id(0);
    if (l == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, x[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    int before = atomic_add(&sum, 0);
    y[get_global_id(0)] = before;
}
