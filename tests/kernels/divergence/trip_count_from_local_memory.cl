// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 1 + i // 4 for i in range(8)]
// The number of turns lies in local memory, but not at one place for all.
kernel void k(global int *a)
{
    local int trips[8];
    int lid = get_local_id(0);
    trips[lid] = 1 + lid / 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    int n = trips[lid];
    for (int k = 0; k < n; k++) {
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        a[lid]++;
    }
}
// NOTE: 4 work-items of 8 (local 4..7) are at the barrier at trip_count_from_local_memory.cl:13, in iteration 2 of the loop at trip_count_from_local_memory.cl:12
// NOTE: 4 work-items of 8 (local 0..3) have returned from the kernel
// NOTE: the condition `k < n` at trip_count_from_local_memory.cl:12:23 was true for work-items 4..7, false for work-items 0..3
// NOTE: there `k` was 1; `n` was 2 where true, 1 where false
