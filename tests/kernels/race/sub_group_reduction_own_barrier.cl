// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --sub-group-size=8 --arg=int[64]=iota --arg=int[2]=0 --build-options=-cl-std=CL3.0
kernel void k(global const int *a, global int *o) {
    local int part[4];
    int s = sub_group_reduce_add(a[get_global_id(0)]);
    if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = s; // OTHER data-race
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) o[get_group_id(0)] = part[0] + part[1] + part[2] + part[3]; // EXPECT data-race uninitialized-read 'part'
}
