// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
void part(int x)
{
    if (x > 5)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    part(lid);
    a[lid] += n;
}
// NOTE: in 'part' called from helper_returns_early.cl:12:5
// NOTE: 6 work-items of 8 (local 0..5) are at the barrier at helper_returns_early.cl:7
// NOTE: 2 work-items of 8 (local 6..7) have returned from the kernel
// NOTE: the condition `x > 5` at helper_returns_early.cl:5:11 was true for work-items 6..7, false for work-items 0..5
// NOTE: there `x` was 6..7 where true, 0..5 where false
