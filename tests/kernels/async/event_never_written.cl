// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
// SAYS: wait_group_events is given an event that no async copy returned
kernel void k(global int *a, global int *o)
{
    local int t[8];
    event_t e[2];
    e[0] = async_work_group_copy(t, a, 8, 0);
    wait_group_events(2, e); // EXPECT invalid-event
    o[get_local_id(0)] = t[get_local_id(0)];
}
