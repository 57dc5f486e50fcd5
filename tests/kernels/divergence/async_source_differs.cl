// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// SAYS: the source of this async copy differs between work-items of the group
// SAYS: source byte 0 of global memory 'a', given by work-item local (0,0,0)
// SAYS: source byte 4 of global memory 'a', given by work-item local (1,0,0)
// DUMP 0: [*range(16)]
// Each work-item its own part: what is meant is an ordinary loop.
kernel void k(global int *a)
{
    local int t[8];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, a + lid, 1, 0); // EXPECT barrier-divergence
    wait_group_events(1, &e);
}
// NOTE: 2 times in 2 work-groups; shown once
