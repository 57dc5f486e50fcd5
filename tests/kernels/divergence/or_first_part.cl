// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid == 7 || n == 9)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
// NOTE: 1 work-item of 8 (local 7) is at the barrier at or_first_part.cl:7
// NOTE: 7 work-items of 8 (local 0..6) have returned from the kernel
// NOTE: the condition `lid == 7` at or_first_part.cl:6:13 was true for work-item 7, false for work-items 0..6
// NOTE: there `lid` was 7 where true, 0..6 where false
