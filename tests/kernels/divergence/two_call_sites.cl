// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// SAYS: work-items of a group reach this barrier through different calls
// DUMP 0: [i + 1 for i in range(16)]
// The same barrier, reached through different calls.
void sync(void)
{
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
kernel void call(global int *a)
{
    int lid = get_local_id(0);
    if (lid < 4)
        sync();
    else
        sync();
    a[lid]++;
}
// NOTE: in 'sync' called from two_call_sites.cl:16:9
// NOTE: in 'sync' called from two_call_sites.cl:14:9
// NOTE: 12 work-items of 16 (local 4..15) are at the barrier at two_call_sites.cl:8, called from two_call_sites.cl:16
// NOTE: 4 work-items of 16 (local 0..3) are at the barrier at two_call_sites.cl:8, called from two_call_sites.cl:14
// NOTE: the condition `lid < 4` at two_call_sites.cl:13:13 was true for work-items 0..3, false for work-items 4..15
// NOTE: there `lid` was 0..3 where true, 4..15 where false
// SAYS: help: Call the function with the barrier at one place
