// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
void put(global int *to, int v) { *to = v; } // EXPECT uninitialized-read 'x'
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    if (i != 3) x = 1;
    put(a + i, x);
}
