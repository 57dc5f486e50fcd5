// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [None if i % 4 == 0 else 100 // (i % 4) for i in range(16)]
kernel void divide(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = 100 / (a[i] % 4); // EXPECT division-by-zero
}
