// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    if (i > 4) x = 2;
    int y = select(i, 3, -(x > 0));
    a[i] = y; // EXPECT uninitialized-read 'x'
}
