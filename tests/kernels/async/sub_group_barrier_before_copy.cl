// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=int[16]=iota --arg=int[16]=0 --build-options=-cl-std=CL3.0
kernel void k(global const int *a, global int *o) {
    local int t[16];
    int l = get_local_id(0);
    t[l] = l; // OTHER data-race
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(t, a, 16, 0); // EXPECT data-race 't'
    wait_group_events(1, &e);
    o[l] = t[15 - l];
}
