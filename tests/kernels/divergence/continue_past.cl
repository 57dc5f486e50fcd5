// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: reach this barrier in different iterations
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 2; k++) {
        if (lid == k)
            continue;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[lid] += n;
}
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at continue_past.cl:10, in iteration 1 of the loop at continue_past.cl:7
// NOTE: 1 work-item of 8 (local 0) is at the barrier at continue_past.cl:10, in iteration 2 of the loop at continue_past.cl:7
// NOTE: the condition `lid == k` at continue_past.cl:8:17 was true for work-item 0, false for work-items 1..7
// NOTE: there `lid` was 0 where true, 1..7 where false; `k` was 0
