// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [i * i for i in range(8)]
kernel void squares(global int *out)
{
    local int t[8];
    int lid = get_local_id(0);
    t[lid] = lid * lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out, t, 8, 0);
    wait_group_events(1, &e);
}
