// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=4096 --local=64 --arg=uint[64]=0 --arg=uint[1]=0 --arg=uint[4096]=0 --arg=uint[4096]=iota
// DUMP 1: [4096]
// DUMP 3: [i + 1 for i in range(N)]
// Counters in the strongest order, as atomic_fetch_add has it without more words: what nothing but atomics touch is not compared with anything, yet orders
// what comes before and after it.
kernel void count(global atomic_uint *bins, global atomic_uint *turn, global uint *places, global uint *own)
{
    const uint i = get_global_id(0);
    own[i] += 1;
    atomic_fetch_add(&bins[i * 7 & 63], 1u);
    places[atomic_fetch_add(turn, 1u)] = i;
}
