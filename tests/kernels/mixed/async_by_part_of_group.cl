// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
kernel void k(global int *x, global int *o)
{
    local int t[16];
    event_t e = 0;
    t[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 8) e = async_work_group_copy(t, x, 16, 0); // EXPECT barrier-divergence
    wait_group_events(1, &e); // OTHER barrier-divergence
    o[get_global_id(0)] = t[get_local_id(0)];
}
