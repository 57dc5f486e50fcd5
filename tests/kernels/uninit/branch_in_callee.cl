// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
int sign(int v)
{
    if (v < 0) return -1; // EXPECT uninitialized-read 't'
    return 1;
}
kernel void k(global int *a)
{
    int i = get_global_id(0), t[2];
    t[0] = 1;
    a[i] = sign(t[i & 1]);
}
