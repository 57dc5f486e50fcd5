// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --sub-group-size=4 --arg=int[32]=0 --build-options=-cl-std=CL3.0
// DUMP 0: None
kernel void k(global int *o) {
    local int t[16];
    int l = get_local_id(0);
    t[l] = l;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int v = t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[15 - l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[l];
}
