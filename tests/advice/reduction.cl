// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// The work-item that reads the sum wrote it.
// DUMP 1: None
kernel void reduce(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0; s /= 2) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT needless-barrier
    if (l == 0) y[get_group_id(0)] = t[0];
}
