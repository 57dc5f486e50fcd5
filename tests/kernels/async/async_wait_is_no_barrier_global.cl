// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0 --arg=int[8]=0
kernel void k(global const int *x, global int *t, global int *out)
{
    local int u[8];
    const int l = get_local_id(0);
    t[l] = l; // EXPECT data-race 't'
    event_t e = async_work_group_copy(u, x, 8, 0);
    wait_group_events(1, &e);
    out[l] = t[l ^ 3] + u[l]; // OTHER data-race
}
