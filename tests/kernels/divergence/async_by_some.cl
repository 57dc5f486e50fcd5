// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: async copy not reached by all work-items of the group
// DUMP 0: [*range(8)]
// "The first one copies": but all must call it.
kernel void k(global int *a)
{
    local int t[8];
    int lid = get_local_id(0);
    if (lid == 0)
        async_work_group_copy(t, a, 8, 0); // EXPECT barrier-divergence
}
// NOTE: 1 work-item of 8 (local 0) is at the async copy at async_by_some.cl:11
// NOTE: 7 work-items of 8 (local 1..7) have returned from the kernel
// NOTE: the condition `lid == 0` at async_by_some.cl:10:13 was true for work-item 0, false for work-items 1..7
// NOTE: there `lid` was 0 where true, 1..7 where false
