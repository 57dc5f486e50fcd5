// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
void inner(void)
{
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
void outer(void) { inner(); }
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid)
        outer();
    a[lid] += n;
}
// NOTE: in 'inner' called from helper_two_deep.cl:7:20
// NOTE: in 'outer' called from helper_two_deep.cl:12:9
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at helper_two_deep.cl:5
// NOTE: 1 work-item of 8 (local 0) has returned from the kernel
// NOTE: the condition `lid` at helper_two_deep.cl:11:9 was true for work-items 1..7, false for work-item 0
// NOTE: there `lid` was 1..7 where true, 0 where false
