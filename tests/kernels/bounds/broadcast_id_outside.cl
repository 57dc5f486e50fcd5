// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=12 --sub-group-size=8 --arg=int[12]=0 --build-options=-cl-std=CL3.0
// SAYS: the id 12 of a broadcast is outside the work-group, which has work-items 0 to 11
// SAYS: the id 6 of a broadcast is outside the sub-group, which has work-items 0 to 3
// SAYS: the result is undefined; cldbg returns 0
// SAYS: help: Give an id below get_local_size
kernel void k(global int *a)
{
    int i = get_global_id(0);
    a[i] = work_group_broadcast(i, 12); // EXPECT out-of-bounds
    a[i] += sub_group_broadcast(i, 6);  // EXPECT out-of-bounds
}
