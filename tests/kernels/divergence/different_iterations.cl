// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: the condition `(k + lid) % 2` at different_iterations.cl:11:23 was true for work-items 1, 3, .., 7, false for work-items 0, 2, .., 6
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
