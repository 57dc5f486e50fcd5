// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [2 if i == 7 else 4 for i in range(8)]
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++) {
            if (y == 1 && lid == 7)
                goto out;
            barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
            a[lid]++;
        }
out:;
}
// NOTE: 7 work-items of 8 (local 0..6) are at the barrier at breaks_out_of_a_nest.cl:11, in iteration 1 of the loop at breaks_out_of_a_nest.cl:8, iteration 2 of the loop at breaks_out_of_a_nest.cl:7
// NOTE: 1 work-item of 8 (local 7) has returned from the kernel
// NOTE: the condition `lid == 7` at breaks_out_of_a_nest.cl:9:31 was true for work-item 7, false for work-items 0..6
// NOTE: there `lid` was 7 where true, 0..6 where false
