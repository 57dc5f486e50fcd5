// SPDX-License-Identifier: MIT
// RUN: --global=320,16 --local=16,16 --arg=int[5120]=iota
kernel void k(global int *a)
{
    local int t[16][17];
    int x = get_local_id(0), y = get_local_id(1), g = get_group_id(0), i = (g * 16 + y) * 16 + x;
    t[y][x] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[x][y + (g == 9)]; // EXPECT uninitialized-read 't'
}
