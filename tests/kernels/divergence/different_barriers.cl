// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// SAYS: the condition `lid % 2` at different_barriers.cl:8:13 was true for work-items 1, 3, .., 15, false for work-items 0, 2, .., 14
// DUMP 0: [i + 1 for i in range(16)]
kernel void two(global int *a)
{
    int lid = get_local_id(0);
    if (lid % 2)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    else
        barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    a[lid] += 1;
}
