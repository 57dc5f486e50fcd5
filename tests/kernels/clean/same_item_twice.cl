// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[64]=iota
// DUMP 0: [k - 1 if k % 2 else k + 1 for k in range(64)]
kernel void swap_pairs(global int *a)
{
    int i = get_global_id(0) * 2;
    int t = a[i];
    a[i] = a[i + 1];
    a[i + 1] = t;
}
