// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid > 4)
        n++;
    else
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
// NOTE: 5 work-items of 8 (local 0..4) are at the barrier at else_arm.cl:9
// NOTE: 3 work-items of 8 (local 5..7) have returned from the kernel
// NOTE: the condition `lid > 4` at else_arm.cl:6:13 was true for work-items 5..7, false for work-items 0..4
// NOTE: there `lid` was 5..7 where true, 0..4 where false
