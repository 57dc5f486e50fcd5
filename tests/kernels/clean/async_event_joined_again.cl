// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[16]=iota --arg=int[8]=0
// DUMP 1: [8 + 2 * i for i in range(8)]
// An event that was waited for stands for another copy once that joins it.
kernel void k(global int *a, global int *o)
{
    local int t[8];
    event_t e = 0;
    for (int i = 0; i < 2; i++) {
        e = async_work_group_copy(t, a + 8 * i, 8, e);
        wait_group_events(1, &e);
        o[get_local_id(0)] += t[get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
