// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// SAYS: a value that was never written is printed
kernel void k(global int *a)
{
    int x;
    if (a[0]) x = 1;
    if (get_global_id(0) == 0) printf("%d\n", x); // EXPECT uninitialized-read 'x'
}
