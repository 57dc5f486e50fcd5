// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [7 - i for i in range(8)]
// Those that skip the middle one wait at the last: two different barriers. Those wait for the rest.
kernel void middle(global int *a)
{
    local int t[8];
    int lid = get_local_id(0);
    t[lid] = a[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid & 1)
        barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    a[lid] = t[7 - lid];
    barrier(CLK_LOCAL_MEM_FENCE);     // EXPECT barrier-divergence
}
// NOTE: 4 work-items of 8 (local 0, 2, .., 6) are at the barrier at conditional_between_others.cl:14
// NOTE: 4 work-items of 8 (local 1, 3, .., 7) are at the barrier at conditional_between_others.cl:12
// NOTE: the condition `lid & 1` at conditional_between_others.cl:11:13 was true for work-items 1, 3, .., 7, false for work-items 0, 2, .., 6
