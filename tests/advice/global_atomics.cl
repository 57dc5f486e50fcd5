// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Other work-groups may rely on the barrier.
// DUMP 1: None
kernel void last(global const int *x, global int *y)
{
    int i = get_global_id(0), l = get_local_id(0);
    y[i] = x[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0) atomic_inc(&y[200]);
}
