// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[60]=iota --arg=int[64]=0
// DUMP 1: [i if i < 60 else 0 for i in range(64)]
// A read outside gives 0.
kernel void copy(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i]; // EXPECT out-of-bounds 'a'
}
