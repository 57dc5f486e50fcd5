// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[4]=0
// DUMP 1: None
// The group's own additions are ordered by the barrier, those of the other groups are unordered: another barrier would not fix it.
kernel void k(global int *count, global int *out) {
    atomic_inc(count); // OTHER data-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[get_group_id(0)] = *count; // EXPECT data-race 'count'
}
// SAYS: the two are in different work-groups
// SAYS: no barrier orders work-groups
