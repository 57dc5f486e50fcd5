// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [i for i in range(16)]
kernel void late(global int *a)
{
    local int t[8];
    int lid = get_local_id(0), gid = get_global_id(0);
    t[lid] = a[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 2; k++) {
        a[gid + 16 + k] = t[7 - lid]; // EXPECT out-of-bounds 'a'
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
