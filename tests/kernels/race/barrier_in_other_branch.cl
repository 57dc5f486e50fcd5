// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// Groups with an odd number have no barrier.
kernel void sometimes(global int *a)
{
    local int t[8];
    int lid = get_local_id(0), gid = get_global_id(0);
    t[lid] = a[gid];        // OTHER data-race
    if (get_group_id(0) % 2 == 0)
        barrier(CLK_LOCAL_MEM_FENCE);
    a[gid] = t[7 - lid];    // EXPECT data-race 't'
}
