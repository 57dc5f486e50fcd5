// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=int[16]=iota --arg=int[16]=0 --build-options=-cl-std=CL3.0
// DUMP 1: None
kernel void k(global const int *a, global int *o) {
    local int t[16];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, a, 16, 0);
    wait_group_events(1, &e);
    int v = t[15 - l];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = v;
}
