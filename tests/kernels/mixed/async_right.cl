// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0
// DUMP 1: [2 * n for n in range(32)]
kernel void k(global int *x, global int *o)
{
    local int t[16], u[16];
    int first = get_group_id(0) * 16;
    event_t e = async_work_group_copy(t, x + first, 16, 0);
    wait_group_events(1, &e);
    u[get_local_id(0)] = 2 * t[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(o + first, u, 16, 0);
    wait_group_events(1, &e);
}
