// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid != 2)
        goto out;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
out:
    a[lid] += n;
}
// NOTE: 1 work-item of 8 (local 2) is at the barrier at goto_over.cl:8
// NOTE: 7 work-items of 8 (local 0..1, 3..7) have returned from the kernel
// NOTE: the condition `lid != 2` at goto_over.cl:6:13 was true for work-items 0..1, 3..7, false for work-item 2
// NOTE: there `lid` was 0..1, 3..7 where true, 2 where false
