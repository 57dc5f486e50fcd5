// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// The race is on another array than the one of which an element was never written, and added to.
kernel void k(global int *a)
{
    local int t[64];
    local int place[64];
    int i = get_global_id(0), lid = get_local_id(0);
    int keep = a[i] % 3 != 0;
    if (lid) place[lid - 1] = keep;
    barrier(CLK_LOCAL_MEM_FENCE);
    int y = lid >= 1 ? place[lid - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    place[lid] += y;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (keep)
        t[place[lid]] = lid; // EXPECT data-race uninitialized-read
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = keep;
}
