// SPDX-License-Identifier: MIT
// RUN: --global=16,16 --local=8,8 --arg=int[256]=iota --arg=int[256]=0
// The inner cells are read by their neighbors before anything made them complete.
kernel void blur(global const int *in, global int *out)
{
    local int t[10][10];
    int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    t[y + 1][x + 1] = in[gy * 16 + gx]; // EXPECT data-race 't'
    if (x == 0)
        t[y + 1][0] = gx ? in[gy * 16 + gx - 1] : 0;
    if (x == 7)
        t[y + 1][9] = gx < 15 ? in[gy * 16 + gx + 1] : 0;
    out[gy * 16 + gx] = t[y + 1][x] + t[y + 1][x + 2];
}
