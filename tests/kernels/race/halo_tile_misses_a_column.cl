// SPDX-License-Identifier: MIT
// RUN: --kernel=blur --global=16,16 --local=8,8 --arg=float[256]=iota --arg=float[256]=0 --arg=int=16
// The right halo column is loaded by the last column of work-items, but one row too few: row 8 of the halo is never written, and read.
kernel void blur(global const float *in, global float *out, int w)
{
    local float tile[10][10];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[ly + 1][lx + 1] = in[y * w + x];
    if (lx == 0) tile[ly + 1][0] = x ? in[y * w + x - 1] : 0;
    if (lx == 7) tile[ly + 1][9] = x < w - 1 ? in[y * w + x + 1] : 0;
    if (ly == 0) tile[0][lx + 1] = y ? in[(y - 1) * w + x] : 0;
    if (ly == 7 && lx < 7) tile[9][lx + 1] = y < w - 1 ? in[(y + 1) * w + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = tile[ly][lx + 1] + tile[ly + 1][lx] + tile[ly + 1][lx + 2];
    s += tile[ly + 2][lx + 1];
    out[y * w + x] = s; // EXPECT uninitialized-read 'tile'
}
