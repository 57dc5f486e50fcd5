// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// SAYS: variable 'x' declared at
// SAYS: has no value on this path
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    if (i < 12) x = i;
    a[i] = x; // EXPECT uninitialized-read 'x'
}
