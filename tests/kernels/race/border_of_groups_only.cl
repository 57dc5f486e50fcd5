// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[65]=iota
// Inside a group a barrier orders it; at the last work-item of a group the neighbor is another group's.
kernel void shift(global int *a)
{
    int gid = get_global_id(0);
    int x = a[gid + 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[gid] = x; // EXPECT data-race 'a'
}
