// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
// A barrier does not wait for a copy.
kernel void k(global const int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    event_t e = async_work_group_copy(t, x, 8, 0); // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[l] = t[l]; // OTHER data-race
    wait_group_events(1, &e);
}
