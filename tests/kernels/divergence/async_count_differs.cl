// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int=2
// SAYS: the number of elements of this async copy differs between work-items of the group
// SAYS: number of elements 2, given by work-item local (0,0,0)
// SAYS: number of elements 3, given by work-item local (1,0,0)
// DUMP 0: [*range(16)]
kernel void k(global int *a, int n)
{
    local int t[8];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, a, n + (lid & 1), 0); // EXPECT barrier-divergence
    wait_group_events(1, &e);
}
// NOTE: 2 times in 2 work-groups; shown once
