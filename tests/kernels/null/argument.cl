// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=null --arg=int[8]=0
// DUMP 1: [i if i < 4 else 0 for i in range(8)]
kernel void copy(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = i < 4 ? i : a[i]; // EXPECT null-dereference 'a'
}
