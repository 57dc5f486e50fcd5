// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [1] * 16
// A stack of free places: popped by all, then pushed by all, never at once.
kernel void k(global int *out)
{
    local int places[16], top;
    const int l = get_local_id(0);
    places[l] = 15 - l;
    if (l == 0) top = 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int mine = places[atomic_dec(&top) - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    places[atomic_inc(&top)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[places[l]] = 1;
}
