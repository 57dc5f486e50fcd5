// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --build-options=-cl-std=CL3.0 --arg=int[64]=iota
// RUN: --global=24 --local=8 --build-options=-cl-std=CL3.0 --arg=int[24]=iota
// DUMP 0: [i + 1 for i in range(N)]
// A barrier of a sub-group concerns the work-items of that sub-group only.
kernel void k(global int *a)
{
    int i = get_global_id(0);
    if (get_sub_group_id() % 2 == 0)
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < get_sub_group_id(); k++) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i]++;
}
