// SPDX-License-Identifier: MIT
// RUN: --global=16,16 --local=8,8 --arg=int[256]=iota --arg=int[256]=1 --arg=int[256]=0 --advise
// The tiled product needs both barriers. (The grid has two work-groups in each dimension.)
// DUMP 2: None
kernel void product(global const int *a, global const int *b, global int *c)
{
    local int s[8][8], t[8][8];
    int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1), k = get_global_id(0), sum = 0;
    for (int at = 0; at < 16; at += 8) {
        s[y][x] = a[i * 16 + at + x];
        t[y][x] = b[(at + y) * 16 + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = 0; n < 8; n++) sum += s[y][n] * t[n][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i * 16 + k] = sum;
}
