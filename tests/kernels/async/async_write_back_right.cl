// SPDX-License-Identifier: MIT
// DUMP 0: [2 * i for i in range(16)]
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int t[8];
    event_t e = async_work_group_copy(t, a + 8 * get_group_id(0), 8, 0);
    wait_group_events(1, &e);
    t[get_local_id(0)] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(a + 8 * get_group_id(0), t, 8, 0);
    wait_group_events(1, &e);
}
