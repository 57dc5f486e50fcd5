// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Whole work-groups pass the barriers or not.
// DUMP 1: None
kernel void some(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = x[i];
    if (get_group_id(0) == 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        y[i] = t[15 - l];
    } else if (get_group_id(0) == 1) {
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT needless-barrier
        y[i] = t[l];
    }
}
