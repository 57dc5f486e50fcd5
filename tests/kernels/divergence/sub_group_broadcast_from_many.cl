// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[8]=0 --build-options=-cl-std=CL3.0
kernel void k(global int *o) {
    int l = get_local_id(0);
    o[l] = sub_group_broadcast(l, l / 4); // EXPECT barrier-divergence
}
