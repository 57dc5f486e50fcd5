// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
int2 make(int x)
{
    if (x < 2) return (int2)(x);
}
kernel void k(global int *o)
{
    o[get_global_id(0)] = make(get_global_id(0)).y; // EXPECT uninitialized-read 'make()'
}
