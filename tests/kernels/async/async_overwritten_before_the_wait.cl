// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int[16]=0
kernel void k(global int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    t[l] = 3 * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x + 8 * get_group_id(0), t, 8, 0); // OTHER data-race
    t[l] = 100 + l; // EXPECT data-race 't'
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[l];
}
