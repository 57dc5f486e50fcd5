// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[34]=iota --arg=int[32]=0
// Both ends load the left halo cell, with different values.
kernel void edges(global const int *in, global int *out)
{
    local int t[18];
    int lid = get_local_id(0), gid = get_global_id(0);
    t[lid + 1] = in[gid + 1];
    if (lid == 0 || lid == 15)
        t[0] = in[gid + lid / 15]; // EXPECT data-race 't'
    if (lid == 15)
        t[17] = in[gid + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = t[lid] + t[lid + 2];
}
