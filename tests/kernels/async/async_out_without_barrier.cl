// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota
// What the work-items wrote is copied out before all have written.
kernel void k(global int *x)
{
    local int t[8];
    const int l = get_local_id(0);
    t[l] = l; // OTHER data-race
    event_t e = async_work_group_copy(x + get_group_id(0) * 8, t, 8, 0); // EXPECT data-race 't'
    wait_group_events(1, &e);
}
