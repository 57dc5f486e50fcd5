// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
kernel void k(global int *out)
{
    local int places[32], top;
    const int l = get_local_id(0);
    places[l] = l;
    if (l == 0) top = 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l & 1) places[atomic_inc(&top)] = 100; // OTHER data-race
    else out[l] = places[atomic_dec(&top) - 1]; // EXPECT data-race 'places' // OTHER data-race
}
