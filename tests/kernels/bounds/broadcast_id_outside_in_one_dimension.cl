// SPDX-License-Identifier: MIT
// The linear id that comes of the two is one of the group's.
// RUN: --global=12,2 --local=6,2 --arg=int[24]=0 --build-options=-cl-std=CL3.0
// SAYS: the id of a broadcast is outside the work-group in one of its dimensions
kernel void k(global int *a)
{
    a[get_global_linear_id()] = work_group_broadcast(5, 6, 0); // EXPECT out-of-bounds
}
