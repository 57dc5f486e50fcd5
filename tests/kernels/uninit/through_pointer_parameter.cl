// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
void sometimes(int *p, int c) { if (c) *p = 1; }
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    sometimes(&x, i & 2);
    a[i] = x; // EXPECT uninitialized-read 'x'
}
