// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [i if i < 3 else 2 for i in range(16)]
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    if (i >= 3) x = 2;
    a[i] = i < 3 ? i : x;
}
