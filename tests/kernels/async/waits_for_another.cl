// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
kernel void k(global int *in, global int *out)
{
    local int t[16], u[16];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 16, 0);
    event_t f = async_work_group_copy(u, in, 16, 0); // EXPECT async-not-waited 'u'
    wait_group_events(1, &e);
    out[lid] = t[15 - lid] + u[lid];
}
