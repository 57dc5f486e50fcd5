// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0 --build-options=-cl-std=CL3.0
kernel void k(global int *o) {
    int l = get_local_id(0);
    if (l % 3) // OTHER barrier-divergence
        o[l] = sub_group_reduce_add(l); // EXPECT barrier-divergence
}
