// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --sub-group-size=8 --global=40 --local=20 --arg=int[40]=iota --arg=int[40]=0
// A work-group barrier is not what these need: the lanes of a sub-group reach them together or not at all.
kernel void collect(global const int *a, global int *r)
{
    int l = get_local_id(0), i = get_global_id(0), x = 0;
    if (l != 11)
        x += sub_group_reduce_add(a[i]); // EXPECT barrier-divergence
    for (int k = 0; k < l % 3; k++)
        x += sub_group_any(a[i] == k); // EXPECT barrier-divergence
    r[i] = x;
    if (l == 19) return;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
}
// SAYS: help: Let all work-items of the sub-group reach it together
