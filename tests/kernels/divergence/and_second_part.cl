// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (n == 3 && lid < 2)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
// NOTE: 2 work-items of 8 (local 0..1) are at the barrier at and_second_part.cl:7
// NOTE: 6 work-items of 8 (local 2..7) have returned from the kernel
// NOTE: the condition `lid < 2` at and_second_part.cl:6:23 was true for work-items 0..1, false for work-items 2..7
// NOTE: there `lid` was 0..1 where true, 2..7 where false
