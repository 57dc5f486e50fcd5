// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
kernel void k(global int *x, global int *o)
{
    local int t[16];
    event_t e = async_work_group_copy(t, x, 8 + get_local_id(0) % 2, 0); // EXPECT barrier-divergence
    wait_group_events(1, &e);
    o[get_global_id(0)] = get_local_id(0);
}
