// SPDX-License-Identifier: MIT
// RUN: --global=320,16 --local=16,16 --arg=int[5120]=iota
// What is stored is undefined in one group alone, and in the round after that all is defined.
kernel void k(global int *a)
{
    local int t[16][17];
    int x = get_local_id(0), y = get_local_id(1), g = get_group_id(0), i = (g * 16 + y) * 16 + x;
    int v;
    if (g != 9) v = a[i];
    for (int round = 0; round < 3; round++) {
        t[y][x] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[i] = t[x][y]; // EXPECT uninitialized-read
        barrier(CLK_LOCAL_MEM_FENCE);
        v = i;
    }
}
