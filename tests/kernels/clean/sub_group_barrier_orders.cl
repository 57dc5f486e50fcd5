// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --sub-group-size=4 --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0
// DUMP 1: [i ^ 1 for i in range(32)]
kernel void swap(global const int *a, global int *r)
{
    local int tmp[16];
    int l = get_local_id(0);
    tmp[l] = a[get_global_id(0)];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    r[get_global_id(0)] = tmp[l ^ 1];
}
