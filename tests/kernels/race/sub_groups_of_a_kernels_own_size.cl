// SPDX-License-Identifier: MIT
// RUN: --kernel=rotated --global=16 --local=16 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// SAYS: orders the work-items of one sub-group only
// One sub-group of 32 would hold them all; the kernel asks for sub-groups of 8.
__attribute__((intel_reqd_sub_group_size(8)))
kernel void rotated(global int *o)
{
    int l = get_local_id(0);
    local int t[16];
    t[l] = l; // OTHER data-race
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[(l + 1) % 16]; // EXPECT data-race 't'
}
