// SPDX-License-Identifier: MIT
// RUN: --global=9,8 --local=3,4 --arg=int[64]=iota --arg=int=8
// DUMP 0: None
// The last column runs into the next row, which is inside; only the very last is not.
// SAYS: global (8,7,0)
kernel void image(global int *a, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 8 || y == 7)
        a[y * w + x] = x; // EXPECT out-of-bounds 'a'
}
