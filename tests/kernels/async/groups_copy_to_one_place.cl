// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[16]=0
// SAYS: different work-groups
kernel void k(global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, 16, 0); // EXPECT data-race 'out'
    wait_group_events(1, &e);
}
