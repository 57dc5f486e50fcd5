// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[16]=iota --arg=int[8]=0
kernel void k(global int *in, global int *out) {
    local int t[12];
    event_t e = async_work_group_copy(t, in, 8, 0); // OTHER data-race
    e = async_work_group_copy(t + 7, in + 8, 5, e); // EXPECT data-race 't'
    wait_group_events(1, &e);
    out[get_local_id(0)] = t[get_local_id(0)];
}
