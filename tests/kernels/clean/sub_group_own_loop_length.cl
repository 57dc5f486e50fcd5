// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [0] * 8 + [8] * 8
kernel void k(global int *o) {
    int s = 0;
    for (uint i = 0; i < get_sub_group_id(); i++) s += sub_group_reduce_add(1);
    o[get_local_id(0)] = s;
}
