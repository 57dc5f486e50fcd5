// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid < 4)
        if (lid % 2 == 0)
            barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
// NOTE: 2 work-items of 8 (local 0, 2) are at the barrier at nested_conditions.cl:8
// NOTE: 6 work-items of 8 (local 1, 3..7) have returned from the kernel
// NOTE: the condition `lid % 2 == 0` at nested_conditions.cl:7:21 was true for work-items 0, 2, false for work-items 1, 3
// NOTE: there `lid % 2` was 0 where true, 1 where false
// NOTE: the condition `lid < 4` at nested_conditions.cl:6:13 was true for work-items 0..3, false for work-items 4..7
// NOTE: there `lid` was 0..3 where true, 4..7 where false
