// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[16]=iota --arg=int[64]=0
// SAYS: group (2,0,0)
// SAYS: 2 times in 2 work-groups
kernel void k(global int *in, global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 16, 0); // EXPECT async-not-waited 't'
    if (get_group_id(0) < 2)
        wait_group_events(1, &e);
    out[get_global_id(0)] = 1;
}
