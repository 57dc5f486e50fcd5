// SPDX-License-Identifier: MIT
// RUN: --global=8,4 --local=8,4 --arg=int[64]=0
// The pitch is that of the other dimension.
kernel void swap(global int *out)
{
    local int t[64];
    int x = get_local_id(0), y = get_local_id(1);
    t[x + y * get_local_size(1)] = 8 * y + x; // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 8 + x] = t[x + y * get_local_size(1)];
}
