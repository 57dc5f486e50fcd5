// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [max(i - 1, 0) for i in range(16)]
// SAYS: before
kernel void shift(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i - 1]; // EXPECT out-of-bounds 'a'
}
