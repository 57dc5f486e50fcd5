// SPDX-License-Identifier: MIT
// RUN: --global=20 --local=10 --sub-group-size=8 --arg=int[20]=0 --build-options=-cl-std=CL3.0
// DUMP 0: None
kernel void k(global int *o) {
    local int t[10];
    int l = get_local_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size();
    t[l] = l;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[l - lane + n - 1 - lane] + sub_group_reduce_max(l);
}
