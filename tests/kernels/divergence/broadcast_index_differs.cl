// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// SAYS: the id of this work-group function differs between work-items of the group
kernel void k(global int *o)
{
    o[get_global_id(0)] = work_group_broadcast((int)get_local_id(0), get_local_id(0)); // EXPECT barrier-divergence
}
// SAYS: help: Give the argument the same value
