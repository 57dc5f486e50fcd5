// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=4 --arg=int[16]=0 --build-options=-cl-std=CL3.0
kernel void k(global int *o) {
    local int t[16];
    int l = get_local_id(0);
    t[l] = l; // OTHER missing-fence
    barrier(CLK_GLOBAL_MEM_FENCE);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[15 - l]; // EXPECT missing-fence 't'
}
