// SPDX-License-Identifier: MIT
// A barrier does not wait for a copy.
// RUN: --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0
// SAYS: data race on local memory 't'
// SAYS: write by async copy, started here and not yet waited for
// SAYS: the copy may run until wait_group_events is called with its event
kernel void k(global int *in, global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 16, 0); // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[lid]; // OTHER data-race
    wait_group_events(1, &e);
}
