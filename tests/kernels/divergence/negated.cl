// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=1,0,5,7,0,2,0,9
// DUMP 0: [1, 0, 5, 7, 0, 2, 0, 9]
kernel void k(global int *a)
{
    if (!a[get_local_id(0)])
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
// NOTE: 3 work-items of 8 (local 1, 4, 6) are at the barrier at negated.cl:7
// NOTE: 5 work-items of 8 (local 0, 2..3, 5, 7) have returned from the kernel
// NOTE: the condition `a[get_local_id(0)]` at negated.cl:6:10 was true for work-items 0, 2..3, 5, 7, false for work-items 1, 4, 6
// NOTE: there `a[get_local_id(0)]` was 1..2, 5, 7, 9 where true, 0 where false
