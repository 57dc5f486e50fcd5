// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0
// RUN: --global=64 --local=8 --arg=int[72]=0
// What a group's copy writes, the copy of the next one writes, too.
kernel void k(global int *x)
{
    local int t[12];
    const int l = get_local_id(0), g = get_group_id(0);
    t[l] = g;
    if (l < 4) t[8 + l] = g + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x + 8 * g, t, g + 1 < (int)get_num_groups(0) ? 12 : 8, 0); // EXPECT data-race 'x'
    wait_group_events(1, &e);
}
