// SPDX-License-Identifier: MIT
// Two barriers are missing: each has its own locations and number.
// RUN: --global=64 --local=32 --arg=int[64]=0
// SAYS: 62 times in 2 work-groups
// SAYS: 32 times in 2 work-groups
kernel void k(global int *o)
{
    local int t[32];
    int l = get_local_id(0), s = 0;
    t[l] = l; // EXPECT data-race 't'
    if (l) s += t[l - 1]; // OTHER data-race
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) t[l] = s; // EXPECT data-race 't'
    else s += t[l - 16];  // OTHER data-race
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s + t[l];
}
