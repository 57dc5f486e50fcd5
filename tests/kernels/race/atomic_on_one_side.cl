// SPDX-License-Identifier: MIT
// RUN: --kernel=count --global=32 --local=8 --arg=int[1]=0 --arg=int[32]=0
kernel void count(global int *n, global int *out)
{
    atomic_inc(n); // OTHER data-race
    out[get_global_id(0)] = *n; // EXPECT data-race 'n'
}
