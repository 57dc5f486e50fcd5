// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16
kernel void counts()
{
    int g = get_global_id(0), n = 0;

    while (1) {
        n++;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        if (n > g) break;
    }
}
// NOTE: 15 work-items of 16 (local 1..15) are at the barrier at loop_without_condition.cl:9, in iteration 2 of the loop at loop_without_condition.cl:7
// NOTE: 1 work-item of 16 (local 0) has returned from the kernel
// NOTE: the condition `n > g` at loop_without_condition.cl:10:15 was true for work-item 0, false for work-items 1..15
// NOTE: there `n` was 1; `g` was 0 where true, 1..15 where false
