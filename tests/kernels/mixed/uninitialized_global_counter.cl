// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[1]=undef --arg=int[16]=0
kernel void k(global int *count, global int *o)
{
    int at = atomic_inc(count); // EXPECT uninitialized-read 'count'
    if (at < 16)
        o[get_global_id(0)] = 1;
}
