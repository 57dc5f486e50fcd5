// SPDX-License-Identifier: MIT
// RUN: --kernel=rows --global=8,8 --local=8,8 --arg=int[256]=iota --arg=int[64]=0
kernel void rows(global const int *in, global int *out)
{
    local int tile[8][8];
    int x = get_local_id(0), y = get_local_id(1), s = 0;
    for (int t = 0; t < 4; t++) {
        tile[y][x] = in[t * 64 + y * 8 + x]; // EXPECT data-race 'tile'
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++)
            s += tile[k][x]; // OTHER data-race
    }
    out[y * 8 + x] = s;
}
