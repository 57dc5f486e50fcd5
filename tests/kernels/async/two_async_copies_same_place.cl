// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[16]=iota --arg=int[8]=0
kernel void k(global int *a, global int *o)
{
    local int t[16];
    event_t e[2];
    e[0] = async_work_group_copy(t, a, 9, 0); // EXPECT data-race 't'
    e[1] = async_work_group_copy(t + 8, a + 8, 8, 0); // OTHER data-race
    wait_group_events(2, e);
    o[get_local_id(0)] = t[get_local_id(0)] + t[get_local_id(0) + 8];
}
