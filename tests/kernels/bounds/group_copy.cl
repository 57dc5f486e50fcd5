// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[12]=iota --arg=int[16]=0
// DUMP 1: [i if i < 12 else None for i in range(16)]
kernel void copy(global const int *a, global int *out)
{
    local int t[16];
    event_t e = async_work_group_copy(t, a, 16, 0); // EXPECT out-of-bounds 'a'
    wait_group_events(1, &e);
    out[get_local_id(0)] = t[get_local_id(0)];
}
