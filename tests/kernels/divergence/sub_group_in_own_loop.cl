// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=int[16]=0 --build-options=-cl-std=CL3.0
kernel void k(global int *o) {
    int s = 0, l = get_local_id(0);
    for (int i = 0; i < l; i++) s += sub_group_reduce_add(i); // EXPECT barrier-divergence
    o[l] = s;
}
