// SPDX-License-Identifier: MIT
// RUN: --kernel=reversed --global=16 --local=16 --sub-group-size=4 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// SAYS: no barrier separates the two; the sub_group_barrier at sub_group_barrier_between_sub_groups.cl:9 orders the work-items of one sub-group only
kernel void reversed(global int *o)
{
    int l = get_local_id(0);
    local int t[16];
    t[l] = l; // OTHER data-race
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[15 - l]; // EXPECT data-race 't'
}
