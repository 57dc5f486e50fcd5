// SPDX-License-Identifier: MIT
// A group of one work-item has a copy that goes on beside it all the same.
// RUN: --global=2 --local=1 --arg=int[4]=iota --arg=int[2]=0
kernel void k(global int *in, global int *out)
{
    local int t[4];
    event_t e = async_work_group_copy(t, in, 4, 0); // EXPECT data-race 't'
    out[get_global_id(0)] = t[1];                   // OTHER data-race
    wait_group_events(1, &e);
}
