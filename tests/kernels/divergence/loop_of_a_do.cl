// SPDX-License-Identifier: MIT
// A loop is reported at the beginning of its statement, also where its first test is that of its end.
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: None
kernel void counts(global int *o)
{
    int g = get_global_id(0), n = 0;

    do {
        n++;
        o[g] = n;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        n += 2;
    } while (n < g);
}
// NOTE: 12 work-items of 16 (local 4..15) are at the barrier at loop_of_a_do.cl:12, in iteration 2 of the loop at loop_of_a_do.cl:9
// NOTE: 4 work-items of 16 (local 0..3) have returned from the kernel
// NOTE: the condition `n < g` at loop_of_a_do.cl:14:16 was true for work-items 4..15, false for work-items 0..3
// NOTE: there `n` was 3; `g` was 4..15 where true, 0..3 where false
