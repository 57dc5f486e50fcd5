// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[16]=iota --arg=int[8]=0
// Two copies into overlapping halves of one tile, both under way.
kernel void k(global const int *x, global int *out)
{
    local int t[12];
    const int l = get_local_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(t, x, 8, 0); // OTHER data-race
    e[1] = async_work_group_copy(t + 4, x + 8, 8, 0); // EXPECT data-race 't'
    wait_group_events(2, e);
    out[l] = t[l];
}
