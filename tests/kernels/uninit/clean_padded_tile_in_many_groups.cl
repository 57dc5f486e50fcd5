// SPDX-License-Identifier: MIT
// RUN: --global=320,16 --local=16,16 --arg=int[5120]=iota
// DUMP 0: [i % 16 * 16 + i // 16 % 16 + i // 256 * 256 + 3 for i in range(5120)]
kernel void k(global int *a)
{
    local int t[16][17];
    int x = get_local_id(0), y = get_local_id(1), g = get_group_id(0), i = (g * 16 + y) * 16 + x;
    for (int round = 0; round < 3; round++) {
        if (round == 0 || g % 2) t[y][x] = a[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (round == 2) a[i] = t[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = t[x][y] + 3;
}
