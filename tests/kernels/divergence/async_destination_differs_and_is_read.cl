// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int[16]=0
// Bytes that the copy leaves unwritten, because its arguments differ, are not a second error.
kernel void copy(global const int *g, global int *out)
{
    local int t[16];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(l < 4 ? t : t + 8, g, 8, 0); // EXPECT barrier-divergence
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[l + 8];
}
