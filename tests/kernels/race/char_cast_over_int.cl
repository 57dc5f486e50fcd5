// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[4]=0
kernel void k(global int *a)
{
    int g = get_global_id(0);
    if (g == 3) a[0] = 5; // EXPECT data-race 'a'
    else ((global char *)a)[g] = 1; // OTHER data-race
}
