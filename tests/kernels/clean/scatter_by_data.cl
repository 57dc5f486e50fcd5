// SPDX-License-Identifier: MIT
// RUN: --global=100 --local=25 --arg=uint[100]=iota --arg=short[100]=0 --arg=int[100]=0
// DUMP 1: [99 - k for k in range(100)]
// DUMP 2: [2 if k % 3 else 1 for k in range(100)]
// A permutation from memory, and a place that each work-item stores to twice, in its own way.
kernel void k(global const uint *place, global short *o, global int *twice)
{
    const uint p = place[get_global_id(0)];
    o[99 - p] = (short)p;
    twice[p] = 1;
    if (p % 3) twice[p] = 2;
}
