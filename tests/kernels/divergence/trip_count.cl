// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + i + 1 for i in range(8)]
kernel void trips(global int *a)
{
    int lid = get_local_id(0);
    for (int k = 0; k <= lid; k++) {
        a[lid]++;
        barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    }
}
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at trip_count.cl:9, in iteration 2 of the loop at trip_count.cl:7
// NOTE: 1 work-item of 8 (local 0) has returned from the kernel
// NOTE: the condition `k <= lid` at trip_count.cl:7:23 was true for work-items 1..7, false for work-item 0
// NOTE: there `k` was 1; `lid` was 1..7 where true, 0 where false
