// SPDX-License-Identifier: MIT
// RUN: --global=1200 --local=4 --arg=int[1200]=iota --arg=int[1200]=0
// RUN: --global=1200 --local=1 --arg=int[1200]=iota --arg=int[1200]=0
// RUN: --global=19200 --local=64 --arg=int[19200]=iota --arg=int[19200]=0
// DUMP 1: by_group(lambda g: [(0, L, 2 * L, 0)[g[0] // L % 4]] * L)
// Groups of four kinds take turns: what one wrote must be unwritten, and 0, for the next.
kernel void k(global const int *in, global int *out)
{
    local int t[512];
    int l = get_local_id(0), n = get_local_size(0), kind = get_group_id(0) % 4;
    int from = kind == 1 ? 256 : kind == 2 ? 130 : 0;
    if (kind < 3) t[from + l] = kind;
    if (kind == 2) t[256 + l] = kind;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += t[256 + i];
    out[get_global_id(0)] = sum; // EXPECT uninitialized-read 't'
}
