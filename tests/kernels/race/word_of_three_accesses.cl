// SPDX-License-Identifier: MIT
// A location where several pairs of accesses race counts once, whichever of them the order shows.
// RUN: --global=128 --local=64 --arg=int[128]=0
// SAYS: 128 times in 2 work-groups
kernel void k(global int *o)
{
    local int t[64];
    int l = get_local_id(0), s = 0;
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 52) s = t[11]; // OTHER data-race
    // clang-format off
    t[l] = l; t[(l + 11) & 63] = l; // EXPECT data-race 't'
    // clang-format on
    o[get_global_id(0)] = s;
}
