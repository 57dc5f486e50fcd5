// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[8]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [0] * 8
kernel void k(global int *o) {
    int l = get_local_id(0), v;
    if (l != 5) v = l;
    o[l] = sub_group_shuffle(v, 0);
}
