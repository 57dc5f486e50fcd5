// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Work-items exchange data through global memory.
// DUMP 1: None
kernel void exchange(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = x[i];
    y[i] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    y[64 + i] = y[i - l + 15 - l] + t[l];
}
