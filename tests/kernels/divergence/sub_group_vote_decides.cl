// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=int[16]=iota --build-options=-cl-std=CL3.0
kernel void k(global int *a) {
    int l = get_local_id(0);
    if (sub_group_any(a[l] == 3)) // OTHER barrier-divergence
        barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    a[l]++;
}
