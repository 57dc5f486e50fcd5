// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: the number of events of this wait_group_events differs between work-items of the group
// SAYS: number of events 0, given by work-item local (0,0,0)
// SAYS: number of events 1, given by work-item local (1,0,0)
// DUMP 0: [*range(8)]
kernel void k(global int *a)
{
    local int t[8];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, a, 8, 0);
    wait_group_events(lid > 0, &e); // EXPECT barrier-divergence
}
