// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[8]=0 --build-options=-cl-std=CL3.0
// SAYS: warning: the flags of this sub_group_barrier differ between work-items of the sub-group
kernel void k(global int *o) {
    int l = get_local_id(0);
    sub_group_barrier(l & 1 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    o[l] = l;
}
