// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[8]=iota --arg=int[16]=0
kernel void k(global int *a, global int *o)
{
    o[get_global_id(0)] = a[3]; // OTHER data-race
    if (get_local_id(0) == 5) a[3] = 7; // EXPECT data-race 'a'
}
