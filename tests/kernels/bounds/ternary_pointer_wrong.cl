// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[4]=0 --arg=int[3]=0
kernel void k(global int *a, global int *b)
{
    int g = get_global_id(0);
    global int *p = g < 4 ? a : b;
    p[g % 4] = g; // EXPECT out-of-bounds 'b'
}
