// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    int n;
    if (a[0]) n = 4;
    for (int i = 0; i < n; i++) // EXPECT uninitialized-read 'n'
        a[get_global_id(0)] = i;
}
