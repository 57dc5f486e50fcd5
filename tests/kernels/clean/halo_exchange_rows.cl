// SPDX-License-Identifier: MIT
// RUN: --global=8,8 --local=8,4 --arg=int[64]=iota --arg=int[64]=0
// DUMP 1: [sum(8 * y + c for y in (r - 1, r, r + 1) if 0 <= y < 8) for r in range(8) for c in range(8)]
// Each group loads its rows and one on either side, which the first and last row of work-items do.
kernel void k(global const int *x, global int *out)
{
    local int t[6][8];
    const int c = get_local_id(0), r = get_local_id(1), gr = get_global_id(1), rows = get_global_size(1);
    t[r + 1][c] = x[gr * 8 + c];
    if (r == 0) t[0][c] = gr ? x[(gr - 1) * 8 + c] : 0;
    if (r == (int)get_local_size(1) - 1) t[5][c] = gr < rows - 1 ? x[(gr + 1) * 8 + c] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gr * 8 + c] = t[r][c] + t[r + 1][c] + t[r + 2][c];
}
