// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    int k = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    } while (++k < lid);
    a[lid] += n;
}
// NOTE: 6 work-items of 8 (local 2..7) are at the barrier at do_while_trips.cl:8, in iteration 2 of the loop at do_while_trips.cl:7
// NOTE: 2 work-items of 8 (local 0..1) have returned from the kernel
// NOTE: the condition `++k < lid` at do_while_trips.cl:9:18 was true for work-items 2..7, false for work-items 0..1
// NOTE: there `++k` was 1; `lid` was 2..7 where true, 0..1 where false
