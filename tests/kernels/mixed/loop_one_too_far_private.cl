// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    int t[8];
    for (int i = 0; i <= 8; i++)
        t[i] = i; // EXPECT out-of-bounds 't'
    o[get_global_id(0)] = t[3];
}
