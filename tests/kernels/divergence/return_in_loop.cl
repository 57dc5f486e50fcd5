// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 3; k++) {
        if (a[lid] == k)
            return;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[lid] += n;
}
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at return_in_loop.cl:9, in iteration 1 of the loop at return_in_loop.cl:6
// NOTE: 1 work-item of 8 (local 0) has returned from the kernel
// NOTE: the condition `a[lid] == k` at return_in_loop.cl:7:20 was true for work-item 0, false for work-items 1..7
// NOTE: there `a[lid]` was 0 where true, 1..7 where false; `k` was 0
