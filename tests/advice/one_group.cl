// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// One work-group of four needs the barrier, for one pair of work-items.
// DUMP 1: None
kernel void one(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = t[x[i] == 37 ? l + 1 : l];
}
