// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[32]=undef --arg=int[16]=0
// A race on some bytes of an object is not the reason why others were never written.
kernel void elsewhere(global int *g, global int *out)
{
    local int t[16];
    int l = get_local_id(0), v = g[l + 8];
    if (l == 0) g[0] = 1; // EXPECT data-race same-value-race 'g'
    t[l] = l; // EXPECT data-race 't'
    out[get_global_id(0)] = v; // EXPECT uninitialized-read 'g'
    out[get_global_id(0)] = t[l + 8]; // EXPECT uninitialized-read 't'
    out[get_global_id(0)] = t[7 - l];
    out[get_global_id(0)] = g[0] > 0 ? 1 : 2; // OTHER data-race
}
