// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --sub-group-size=8 --arg=int[64]=0 --build-options=-cl-std=CL3.0
kernel void k(global int *o) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l; // OTHER data-race
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[63 - l]; // EXPECT data-race 't'
}
