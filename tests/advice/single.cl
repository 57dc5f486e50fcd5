// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=1 --arg=int[256]=iota --arg=int[256]=0 --advise
// No work-group has two work-items.
// DUMP 1: None
kernel void single(global const int *x, global int *y)
{
    local int t[1];
    int i = get_global_id(0);
    t[0] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = t[0];
}
