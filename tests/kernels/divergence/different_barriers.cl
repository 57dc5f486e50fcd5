// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
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
// NOTE: 8 work-items of 16 (local 0, 2, .., 14) are at the barrier at different_barriers.cl:10
// NOTE: 8 work-items of 16 (local 1, 3, .., 15) are at the barrier at different_barriers.cl:8
// NOTE: the condition `lid % 2` at different_barriers.cl:7:13 was true for work-items 1, 3, .., 15, false for work-items 0, 2, .., 14
