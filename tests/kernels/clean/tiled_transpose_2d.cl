// SPDX-License-Identifier: MIT
// RUN: --global=16,12 --local=4,4 --arg=int[192]=iota --arg=int[192]=0 --arg=int=16 --arg=int=12
// DUMP 1: [(k % 12) * 16 + k // 12 for k in range(192)]
kernel void transpose(global const int *in, global int *out, int w, int h)
{
    local int tile[4][5];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int ox = get_group_id(1) * 4 + x, oy = get_group_id(0) * 4 + y;
    out[oy * h + ox] = tile[x][y];
}
