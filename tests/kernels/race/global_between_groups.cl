// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota --arg=int[1]=0
kernel void count(global const int *a, global int *n)
{
    if (a[get_global_id(0)] % 2)
        *n = *n + 1; // EXPECT data-race same-value-race 'n'
}
