// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int=13
// DUMP 0: [i + (i & 3) if i < 13 else i for i in range(16)]
kernel void k(global int *a, int n)
{
    int i = get_global_id(0), t[4];
    if (i >= n) return;
    for (int j = 0; j < 4; j++) t[j] = j + i;
    a[i] = t[i & 3];
}
