// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
int pick(int c)
{
    int r;
    if (c > 5) r = c;
    return r;
}
kernel void k(global int *a)
{
    int i = get_global_id(0);
    a[i] = pick(i); // EXPECT uninitialized-read 'r'
}
