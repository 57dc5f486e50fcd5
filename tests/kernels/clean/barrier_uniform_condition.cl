// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota --arg=int=3
// RUN: --global=32 --local=8 --arg=int[32]=iota --arg=int=5
// DUMP 0: [8 * (i // 8) + 7 - i % 8 for i in range(32)]
// The condition is the same for all work-items of a group.
kernel void reverse(global int *a, int n)
{
    local int t[8];
    int lid = get_local_id(0), gid = get_global_id(0);
    t[lid] = a[gid];
    if (n > 4)
        barrier(CLK_LOCAL_MEM_FENCE);
    else {
        barrier(CLK_LOCAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[gid] = t[7 - lid];
}
