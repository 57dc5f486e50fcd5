// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
// DUMP 1: [*range(8)]
// The events are the same, wherever they stand, and in whatever order.
kernel void k(global int *a, global int *o)
{
    local int t[8];
    int lid = get_local_id(0);
    event_t e[4];
    e[0] = async_work_group_copy(t, a, 4, 0);
    e[1] = async_work_group_copy(t + 4, a + 4, 4, 0);
    e[2] = e[lid % 2];
    e[3] = e[1 - lid % 2];
    wait_group_events(2, e + (lid > 3 ? 0 : 2));
    o[lid] = t[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    e[0] = async_work_group_copy(t, a, 8, 0);
    e[3] = e[0];
    wait_group_events(1, lid & 1 ? &e[0] : &e[3]);
}
