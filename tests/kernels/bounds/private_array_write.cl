// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int=4
// DUMP 0: [6] * 8
kernel void fill(global int *out, int n)
{
    int a[4], i = get_global_id(0);
    for (int k = 0; k <= n; k++)
        a[k] = k; // EXPECT out-of-bounds 'a'
    out[i] = a[0] + a[1] + a[2] + a[3];
}
