// SPDX-License-Identifier: MIT
// An index outside both the array and the object is reported as outside the object.
// RUN: --global=4 --local=4 --arg=int=4 --arg=int[4]=0
kernel void k(int n, global int *out)
{
    int t[2][4];
    int i = get_global_id(0);
    t[0][i] = t[1][i] = i;
    out[i] = t[1][n + i]; // EXPECT out-of-bounds
}
