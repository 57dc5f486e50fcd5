// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *x)
{
    local int t[8];
    const int l = get_local_id(0);
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&t[l / 2]); // EXPECT data-race 't'
    event_t e = async_work_group_copy(x, t, 8, 0); // OTHER data-race
    wait_group_events(1, &e);
}
