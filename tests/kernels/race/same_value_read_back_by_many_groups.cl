// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=4 --arg=int[4]=0 --arg=int[64]=0 --arg=short[8]=0
// RUN: --global=48 --local=3 --arg=int[4]=0 --arg=int[64]=0 --arg=short[8]=0
// DUMP 1: [7] * N + [0] * (64 - N)
// Groups write equal values to one place and read them back, in turn where they are in one gang: no read depends on another's write.
kernel void same(global int *x, global int *out, global short *y)
{
    x[1] = 7; // EXPECT same-value-race 'x'
    y[2] = 5; // EXPECT same-value-race 'y'
    y[3] = 6; // EXPECT same-value-race 'y'
    int both = *(global int *)(y + 2); // OTHER same-value-race
    out[get_global_id(0)] = x[1] + (both != 0x60005); // OTHER same-value-race
}
