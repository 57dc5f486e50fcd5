// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
int sign(int x)
{
    if (x > 0) return 1;
    if (x < 0) return -1;
}
kernel void k(global int *o)
{
    o[get_global_id(0)] = sign((int)get_global_id(0) - 1); // EXPECT uninitialized-read 'sign()'
}
