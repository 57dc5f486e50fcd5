// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    for (int j = 0; j < 1; j++)
        for (int k = 0; k <= lid; k++)
            barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at inner_loop.cl:8, in iteration 2 of the loop at inner_loop.cl:7, iteration 1 of the loop at inner_loop.cl:6
// NOTE: 1 work-item of 8 (local 0) has returned from the kernel
// NOTE: the condition `k <= lid` at inner_loop.cl:7:27 was true for work-items 1..7, false for work-item 0
// NOTE: there `k` was 1; `lid` was 1..7 where true, 0 where false
