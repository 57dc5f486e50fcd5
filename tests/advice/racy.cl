// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// A launch with a race does not show what is needed.
kernel void racy(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = t[l]; // OTHER data-race
    t[(l + 1) % 16] = 0; // EXPECT data-race
}
