// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: the events of this wait_group_events differ between work-items of the group
kernel void k(global int *a)
{
    local int t[8];
    event_t e[2], mine;
    e[0] = async_work_group_copy(t, a, 4, 0);
    e[1] = async_work_group_copy(t + 4, a + 4, 4, 0);
    mine = e[get_local_id(0) % 2];
    wait_group_events(1, &mine); // EXPECT barrier-divergence
}
