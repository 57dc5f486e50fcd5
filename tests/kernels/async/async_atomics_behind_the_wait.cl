// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[8]=0
// DUMP 0: [0] * 8
// DUMP 1: [2, 2, 2, 2, 0, 0, 0, 0]
kernel void k(global int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x, t, 8, 0);
    wait_group_events(1, &e);
    atomic_inc(&t[l / 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}
