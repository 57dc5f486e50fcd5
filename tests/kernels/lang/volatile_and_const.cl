// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [4 * i + 2 for i in range(8)]
kernel void twice(volatile global int *a)
{
    const int i = get_global_id(0);
    volatile int x = a[i];
    x += x;
    a[i] = x + 1;
    a[i] += a[i];
}
