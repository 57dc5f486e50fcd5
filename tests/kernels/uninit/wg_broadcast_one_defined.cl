// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [3] * 8
// Only the one whose value is given to all has one.
kernel void k(global int *a, global int *o) {
    int l = get_local_id(0), v;
    if (l == 0) v = a[3];
    o[l] = work_group_broadcast(v, 0);
}
