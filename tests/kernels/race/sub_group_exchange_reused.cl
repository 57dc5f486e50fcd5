// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --sub-group-size=8 --arg=int[32]=0 --build-options=-cl-std=CL3.0
kernel void k(global int *o) {
    local int t[32];
    int l = get_local_id(0), lane = get_sub_group_local_id(), base = l - lane;
    for (int i = 0; i < 2; i++) {
        t[l] = l + i; // EXPECT data-race 't'
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        o[l] = t[base + 7 - lane]; // OTHER data-race
    }
}
