// SPDX-License-Identifier: MIT
// Components that a vector does not have: chosen at run time, and by a constant; read and written; in a variable and in a buffer.
// RUN: --global=32 --arg=float[512]=1 --arg=int[32]=0
// SAYS: index 16 is outside a vector of 16 components
// SAYS: index -1 is outside a vector of 4 components
kernel void k(global float16 *a, global int *out)
{
    int i = get_global_id(0);
    float16 v = a[i];
    int4 w = (int4)(i, i + 1, i + 2, i + 3);
    out[i] = (int)v[i & 15] + w[i & 3];
    if (i == 3)
        out[i] = (int)v[i + 13]; // EXPECT out-of-bounds
    if (i == 5)
        w[i - 6] = 1; // EXPECT out-of-bounds
    out[i] += w.x;
    if (i == 7)
        out[i] = (int)a[i][16]; // EXPECT out-of-bounds
}
