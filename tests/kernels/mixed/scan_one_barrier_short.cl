// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=1
kernel void k(global int *x)
{
    local int t[16];
    int l = get_local_id(0);
    t[l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 16; d <<= 1) {
        int v = l >= d ? t[l - d] : 0; // OTHER data-race
        t[l] += v; // EXPECT data-race 't'
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[l] = t[l];
}
