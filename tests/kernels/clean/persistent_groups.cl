// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[100]=iota --arg=int[100]=0 --arg=int[1]=0 --arg=int=100
// DUMP 1: [2 * i for i in range(100)]
// Groups take tiles from a counter until there are no more; the last tile is short.
kernel void k(global const int *x, global int *out, volatile global int *next, int n)
{
    local int tile;
    const int l = get_local_id(0);
    for (;;) {
        if (l == 0) tile = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int at = tile * 8 + l;
        if (tile * 8 >= n) break;
        if (at < n) out[at] = 2 * x[at];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
