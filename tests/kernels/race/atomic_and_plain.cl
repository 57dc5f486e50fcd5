// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[2]=0
kernel void mixed(volatile global int *n)
{
    int i = get_global_id(0);
    atomic_inc(n); // OTHER data-race
    if (i == 31)
        n[1] = n[0];    // EXPECT data-race 'n'
}
