// SPDX-License-Identifier: MIT
// RUN: --global=8,8 --local=8,8 --arg=int[64]=iota
// DUMP 0: [i % 8 * 8 + i // 8 for i in range(64)]
kernel void k(global int *a)
{
    local int t[8][9];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = a[y * 8 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[y * 8 + x] = t[x][y];
}
