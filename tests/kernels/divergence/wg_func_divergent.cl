// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --build-options=-cl-std=CL2.0
kernel void k(global int *o) {
    int l = get_local_id(0);
    if (l < 4) // OTHER barrier-divergence
        o[l] = work_group_reduce_add(l); // EXPECT barrier-divergence
}
