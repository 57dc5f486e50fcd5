// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [20 * i for i in range(16)]
kernel void k(global int *a)
{
    int t[64], i = get_global_id(0), sum = 0;
    for (int j = 0; j < 20; j++) t[j] = i;
    for (int j = 0; j < 20; j++) sum += t[j];
    a[i] = sum;
}
