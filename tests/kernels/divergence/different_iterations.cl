// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 4 for i in range(8)]
// Everybody reaches it twice, but not in the same iterations.
kernel void shifted(global int *a)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 4; k++) {
        a[lid]++;
        if ((k + lid) % 2)
            barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
}
// NOTE: 4 work-items of 8 (local 0, 2, .., 6) are at the barrier at different_iterations.cl:11, in iteration 2 of the loop at different_iterations.cl:8
// NOTE: 4 work-items of 8 (local 1, 3, .., 7) are at the barrier at different_iterations.cl:11, in iteration 1 of the loop at different_iterations.cl:8
// NOTE: the condition `(k + lid) % 2` at different_iterations.cl:10:23 was true for work-items 1, 3, .., 7, false for work-items 0, 2, .., 6
// SAYS: help: Let the loop run the same number of iterations
