// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[24]=iota --arg=int[8]=0
// DUMP 1: [3 * (7 - i) + 1 for i in range(8)]
kernel void gather(global const int *a, global int *out)
{
    local int t[8];
    event_t e = async_work_group_strided_copy(t, a + 1, 8, 3, 0);
    wait_group_events(1, &e);
    out[get_local_id(0)] = t[7 - get_local_id(0)];
}
