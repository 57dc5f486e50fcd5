// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
kernel void k(global int *x, global int *o)
{
    local int t[16];
    event_t e = async_work_group_copy(t, x, 16, 0); // OTHER data-race
    o[get_global_id(0)] = t[get_local_id(0)]; // EXPECT data-race 't'
    wait_group_events(1, &e);
}
