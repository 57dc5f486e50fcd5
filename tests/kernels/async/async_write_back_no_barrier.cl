// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int t[8];
    event_t e = async_work_group_copy(t, a + 8 * get_group_id(0), 8, 0);
    wait_group_events(1, &e);
    t[get_local_id(0)] *= 2; // OTHER data-race
    e = async_work_group_copy(a + 8 * get_group_id(0), t, 8, 0); // EXPECT data-race 't'
    wait_group_events(1, &e);
}
