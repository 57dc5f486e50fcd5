// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[63]=iota
// DUMP 0: [i + 1 for i in range(63)]
kernel void add(global int *a)
{
    int i = get_global_id(0);
    a[i] = i + 1; // EXPECT out-of-bounds 'a'
}
