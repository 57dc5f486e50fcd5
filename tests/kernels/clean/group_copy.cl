// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[64]=0
// DUMP 1: [i // 16 * 16 + 15 - i % 16 for i in range(64)]
kernel void reverse(global const int *in, global int *out)
{
    local int t[16];
    event_t e = async_work_group_copy(t, in + get_group_id(0) * 16, 16, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[15 - get_local_id(0)];
}
