// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[8]=iota --arg=int[16]=0
// SAYS: wait_group_events is given an event that was already waited for
kernel void k(global int *a, global int *o)
{
    local int t[8];
    event_t e = async_work_group_copy(t, a, 8, 0);
    wait_group_events(1, &e);
    o[get_global_id(0)] = t[get_local_id(0)];
    wait_group_events(1, &e); // EXPECT invalid-event
}
