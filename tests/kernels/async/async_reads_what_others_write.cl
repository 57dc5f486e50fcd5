// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int[16]=0
// SAYS: help: No barrier orders work-groups
// The halo of a group's copy is of another group, which writes it.
kernel void k(global int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0), g = get_group_id(0);
    event_t e = async_work_group_copy(t, x + 4 * g, 8, 0); // OTHER data-race
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[l ^ 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l < 4) x[8 * g + 4 + l] = 1; // EXPECT data-race 'x'
}
