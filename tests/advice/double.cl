// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Of two barriers in a row, one suffices: the first is kept.
// DUMP 1: [x // 16 * 16 + (x + 1) % 16 for x in range(64)] + [0] * 192
kernel void double_barrier(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT needless-barrier
    y[get_global_id(0)] = t[(l + 1) % 16];
}
