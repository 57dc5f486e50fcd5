// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: cldbg: 1 error in 1 kernel launch (1 barrier-divergence)
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid > 5)
        return;
    for (int k = 0; k < 3; k++)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    barrier(CLK_GLOBAL_MEM_FENCE);
}
// NOTE: 6 work-items of 8 (local 0..5) are at the barrier at one_mistake_told_once.cl:10, in iteration 1 of the loop at one_mistake_told_once.cl:9
// NOTE: 2 work-items of 8 (local 6..7) have returned from the kernel
// NOTE: the condition `lid > 5` at one_mistake_told_once.cl:7:13 was true for work-items 6..7, false for work-items 0..5
// NOTE: there `lid` was 6..7 where true, 0..5 where false
