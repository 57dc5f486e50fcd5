// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: wait_group_events not reached by all work-items of the group
// DUMP 0: [*range(8)]
kernel void k(global int *a)
{
    local int t[8];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, a, 8, 0);
    if (lid < 4)
        wait_group_events(1, &e); // EXPECT barrier-divergence
}
// NOTE: 4 work-items of 8 (local 0..3) are at the wait_group_events at wait_by_some.cl:11
// NOTE: 4 work-items of 8 (local 4..7) have returned from the kernel
// NOTE: the condition `lid < 4` at wait_by_some.cl:10:13 was true for work-items 0..3, false for work-items 4..7
// NOTE: there `lid` was 0..3 where true, 4..7 where false
