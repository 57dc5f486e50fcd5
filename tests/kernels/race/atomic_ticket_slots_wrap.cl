// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[32]=0
kernel void k(global int *c, global int *o)
{
    o[atomic_inc(c) % 32] = get_global_id(0); // EXPECT data-race 'o'
}
