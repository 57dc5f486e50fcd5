// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// SAYS: work-group function not reached by all work-items of the group
kernel void reduce(global const int *a, global int *r)
{
    int i = get_global_id(0);
    if (a[i] < 9) // OTHER barrier-divergence
        r[i] = work_group_reduce_add(a[i]); // EXPECT barrier-divergence
}
