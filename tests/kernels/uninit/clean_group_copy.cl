// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=undef
// DUMP 0: [i + 1 for i in range(8)]
kernel void k(global int *a, global int *b)
{
    local int t[8];
    event_t e = async_work_group_copy(t, a, 8, 0);
    wait_group_events(1, &e);
    t[get_local_id(0)] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(b, t, 8, 0);
    wait_group_events(1, &e);
    a[get_local_id(0)] = b[get_local_id(0)];
}
