// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
kernel void k(global int *in, global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, 16, 0); // OTHER data-race
    if (lid == 3)
        t[3] = 0; // EXPECT data-race 't'
    wait_group_events(1, &e);
}
