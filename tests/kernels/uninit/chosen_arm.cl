// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    if (get_local_id(0) == 9) x = 2;
    a[i] = i < 3 ? i : x; // EXPECT uninitialized-read 'x'
}
