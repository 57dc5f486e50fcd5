// SPDX-License-Identifier: MIT
// RUN: --global=8,8 --local=8,4 --arg=int[64]=iota --arg=int[64]=0
// The lower halo is loaded over the last row of the tile.
kernel void k(global const int *x, global int *out)
{
    local int t[6][8];
    const int c = get_local_id(0), r = get_local_id(1), gr = get_global_id(1), rows = get_global_size(1);
    t[r + 1][c] = x[gr * 8 + c]; // EXPECT data-race 't'
    if (r == 0) t[0][c] = gr ? x[(gr - 1) * 8 + c] : 0;
    if (r == 0) t[4][c] = gr + 4 < rows ? x[(gr + 4) * 8 + c] : 0; // OTHER data-race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gr * 8 + c] = t[r][c] + t[r + 1][c] + t[r + 2][c]; // EXPECT uninitialized-read 't'
}
