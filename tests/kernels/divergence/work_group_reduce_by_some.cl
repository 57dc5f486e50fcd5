// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// SAYS: work-group function not reached by all work-items of the group
kernel void k(global int *o)
{
    if (get_local_id(0) != 3)
        o[get_global_id(0)] = work_group_reduce_add(1); // EXPECT barrier-divergence
}
