// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[1]=0 --arg=int[16]=0
kernel void k(global int *n, global int *o)
{
    atomic_inc(n); // EXPECT data-race 'n'
    o[get_global_id(0)] = n[0]; // OTHER data-race
}
