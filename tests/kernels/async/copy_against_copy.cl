// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// SAYS: the bytes are 32..35
// SAYS: the two copies are in flight at once
kernel void k(global int *in, global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 9, 0); // EXPECT data-race 't'
    e = async_work_group_copy(t + 8, in, 8, e);     // OTHER data-race
    wait_group_events(1, &e);
    out[lid] = t[15 - lid];
}
