// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [3 * i if i & 1 else i for i in range(16)]
kernel void k(global int *a)
{
    int i = get_global_id(0), x, y;
    if (i & 1) x = i, y = 2 * i;
    if (i & 1) a[i] = x + y;
}
