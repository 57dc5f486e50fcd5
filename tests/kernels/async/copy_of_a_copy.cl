// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
kernel void k(global int *in, global int *out)
{
    local int t[16];
    event_t e[2];
    e[0] = async_work_group_copy(t, in, 16, 0);  // EXPECT data-race 't'
    e[1] = async_work_group_copy(out, t, 16, 0); // OTHER data-race
    wait_group_events(2, e);
}
// SAYS: help: Call wait_group_events with the event
