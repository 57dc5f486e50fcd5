// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// One work-item lacks a value: its cluster's sum has none, the other cluster's has.
kernel void k(global int *o) {
    int l = get_local_id(0), v;
    if (l != 5) v = l;
    int s = sub_group_clustered_reduce_add(v, 4);
    if (l < 4) o[l] = s;
    else o[l] = s; // EXPECT uninitialized-read 'v'
    o[8 + l] = sub_group_clustered_rotate(l == 5 ? 0 : v, 1, 4);
}
