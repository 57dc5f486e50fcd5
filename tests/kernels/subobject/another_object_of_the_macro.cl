// SPDX-License-Identifier: MIT
// One expression of a macro leaves its object, another one only its array.
// RUN: --global=4 --local=4 --arg=int=4 --arg=int[4]=0
#define SUM(a, b) ((a) + (b))
kernel void k(int n, global int *out)
{
    int t[2][4], u[2][4];
    int i = get_global_id(0);
    t[0][i] = t[1][i] = u[0][i] = u[1][i] = i;
    out[i] = SUM(u[0][n + i], t[1][n + i]); // EXPECT subobject-overflow out-of-bounds
}
