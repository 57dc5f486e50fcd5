// SPDX-License-Identifier: MIT
// RUN: --global=1024 --local=8 --arg=int[1024]=iota --arg=int[1024]=0
// SAYS: 512 times in 64 work-groups
// DUMP 1: [0 if i // 8 % 2 else 64 * (i // 8 % 8) + 56 + i % 8 for i in range(N)]
kernel void k(global const int *in, global int *out)
{
    local int t[256];
    int l = get_local_id(0), g = get_group_id(0), n = g % 2 ? 32 : 64;
    event_t e = async_work_group_copy(t, in + 64 * (g % 8), n, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[56 + l]; // EXPECT uninitialized-read 't'
}
