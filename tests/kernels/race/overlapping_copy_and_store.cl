// SPDX-License-Identifier: MIT
// RUN: --kernel=cp --global=8 --local=8 --arg=int[16]=iota --arg=int[16]=0
kernel void cp(global const int *a, global int *o)
{
    local int t[8];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, a, 8, 0); // OTHER data-race
    t[l] = 7; // EXPECT data-race 't'
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[l];
}
