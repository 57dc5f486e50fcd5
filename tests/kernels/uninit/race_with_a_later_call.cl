// SPDX-License-Identifier: MIT
// As race_with_a_later_write.cl, through functions of which each has a barrier neither before nor after it.
// RUN: --global=64 --local=64 --arg=int[64]=undef --arg=int[64]=0
__attribute__((noinline)) int take(global const int *x, int i)
{
    return x[i]; // OTHER data-race
}
__attribute__((noinline)) void give(global int *x, int i)
{
    x[i] = i; // EXPECT data-race 'x'
}
kernel void k(global int *x, global int *out)
{
    int i = get_global_id(0);
    out[i] = take(x, 63 - i); // EXPECT uninitialized-read 'x'
    give(x, i);
}
