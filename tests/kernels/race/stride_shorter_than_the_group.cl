// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[64]=0
// Strides of 31 for 32 work-items: the last one's cell is the first one's next.
kernel void fill(global int *out)
{
    local int t[64];
    int lid = get_local_id(0);
    for (int i = lid; i < 64; i += 31)
        t[i] = i + lid; // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = t[lid];
}
