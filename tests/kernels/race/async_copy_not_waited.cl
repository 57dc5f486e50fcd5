// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
kernel void copy(global int *a)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(a, t, 16, 0); // OTHER data-race
    t[15 - lid] = 3;                                // EXPECT data-race 't'
    wait_group_events(1, &e);
}
