// SPDX-License-Identifier: MIT
// RUN: --kernel=turn --global=16,16 --local=16,16 --arg=uchar[256]=iota --arg=uchar[256]=0
// DUMP 1: [(i % 16) * 16 + i // 16 for i in range(256)]
kernel void turn(global const uchar *a, global uchar *o)
{
    local uchar t[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = a[16 * y + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[16 * y + x] = t[x][y];
}
