// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    int a = 1, b;
    o[get_global_id(0)] = select(b, a, (int)get_global_id(0) > 1); // EXPECT uninitialized-read 'b'
}
