// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// SAYS: a branch depends on a value that was never written
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    if (i & 1) x = i;
    if (x > 3) // EXPECT uninitialized-read 'x'
        a[i] = 0;
}
