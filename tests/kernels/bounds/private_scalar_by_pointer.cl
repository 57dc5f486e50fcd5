// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [5] * 8
kernel void beyond(global int *out)
{
    int x = 5, y = 6;
    int *p = &x;
    p[get_global_id(0) + 1] = 9; // EXPECT out-of-bounds 'x'
    out[get_global_id(0)] = y == 6 ? x : 0;
}
