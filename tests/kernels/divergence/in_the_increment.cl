// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 2 + i % 2 for i in range(8)]
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 2 + lid % 2; barrier(CLK_LOCAL_MEM_FENCE), k++) // EXPECT barrier-divergence
        a[lid]++;
}
// NOTE: 4 work-items of 8 (local 1, 3, .., 7) are at the barrier at in_the_increment.cl:7, in iteration 3 of the loop at in_the_increment.cl:7
// NOTE: 4 work-items of 8 (local 0, 2, .., 6) have returned from the kernel
// NOTE: the condition `k < 2 + lid % 2` at in_the_increment.cl:7:23 was true for work-items 1, 3, .., 7, false for work-items 0, 2, .., 6
// NOTE: there `k` was 2
