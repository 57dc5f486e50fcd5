// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: the condition `k <= lid` at trip_count.cl:8:23 was true for work-items 1..7, false for work-item 0
// DUMP 0: [i + i + 1 for i in range(8)]
kernel void trips(global int *a)
{
    int lid = get_local_id(0);
    for (int k = 0; k <= lid; k++) {
        a[lid]++;
        barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    }
}
