// SPDX-License-Identifier: MIT
// RUN: --global=8,8 --local=8,8 --arg=int[64]=0
// A pitch of 7 for rows of 8: the last of a row is the first of the next.
kernel void pack(global int *out)
{
    local int t[64];
    int x = get_local_id(0), y = get_local_id(1);
    t[y * 7 + x] = x + 10 * y; // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 8 + x] = t[y * 7 + x];
}
// SAYS: help: Give each work-item its own element
