// SPDX-License-Identifier: MIT
// Each work-item might copy what it wrote itself: nothing says so.
// RUN: --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0
// SAYS: read by async copy
// SAYS: nothing orders the access before the copy
kernel void k(global int *in, global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = in[get_global_id(0)]; // EXPECT data-race 't'
    event_t e = async_work_group_copy(out + 16 * get_group_id(0), t, 16, 0); // OTHER data-race
    wait_group_events(1, &e);
}
