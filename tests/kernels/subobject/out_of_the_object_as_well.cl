// SPDX-License-Identifier: MIT
// Where the object is left, too, that is what is told.
// RUN: --global=4 --local=4 --arg=int=4 --arg=int[4]=0
kernel void k(int n, global int *out)
{
    int t[2][4];
    int i = get_global_id(0);
    t[0][i] = t[1][i] = i;
    out[i] = t[1][n + i]; // EXPECT out-of-bounds
}
