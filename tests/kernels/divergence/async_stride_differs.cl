// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[16]=iota
// SAYS: the stride of this async copy differs between work-items of the group
// SAYS: stride 1, given by work-item local (0,0,0)
// SAYS: stride 2, given by work-item local (4,0,0)
// DUMP 0: [*range(16)]
kernel void k(global int *a)
{
    local int t[8];
    int lid = get_local_id(0);
    event_t e = async_work_group_strided_copy(t, a, 8, 1 + (lid > 3), 0); // EXPECT barrier-divergence
    wait_group_events(1, &e);
}
