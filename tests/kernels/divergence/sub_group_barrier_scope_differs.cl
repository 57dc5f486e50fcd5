// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[8]=0 --build-options=-cl-std=CL3.0
// SAYS: warning: the scope of this sub_group_barrier differs between work-items of the sub-group
kernel void k(global int *o)
{
    int l = get_local_id(0);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE, l < 4 ? memory_scope_sub_group : memory_scope_work_group); // EXPECT barrier-divergence
    o[l] = l;
}
