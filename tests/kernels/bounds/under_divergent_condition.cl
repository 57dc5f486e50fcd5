// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota
// DUMP 0: [7 if k >= 16 and k % 2 else k for k in range(32)]
kernel void odd(global int *a)
{
    int i = get_global_id(0);
    if (i % 2)
        a[i + 16] = 7; // EXPECT out-of-bounds 'a'
}
