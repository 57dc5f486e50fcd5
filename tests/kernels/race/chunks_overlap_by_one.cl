// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[65]=0
kernel void k(global int *a)
{
    int g = get_global_id(0);
    for (int i = g * 8; i <= g * 8 + 8; i++)
        a[i] = g; // EXPECT data-race 'a'
}
