// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[64]=iota --arg=int[8]=0
// DUMP 1: [sum(range(8 * i, min(8 * i + 9, 64))) for i in range(8)]
kernel void rows(global const int *a, global int *out)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k <= 8; k++)
        s += a[8 * i + k]; // EXPECT out-of-bounds 'a'
    out[i] = s;
}
