// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota
// A barrier orders the work-items of a group, not the groups.
kernel void shift(global int *a)
{
    int i = get_global_id(0);
    int x = a[(i + 1) % 32];          // OTHER data-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = x;                         // EXPECT data-race 'a'
}
// SAYS: help: No barrier orders work-groups
