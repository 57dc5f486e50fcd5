// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int[16]=0
// A barrier whose flags differ fences what all of them name: here nothing.
kernel void flags(global int *g, global int *out)
{
    local int t[8];
    int l = get_local_id(0), i = get_global_id(0);
    g[i] = l; // EXPECT missing-fence 'g'
    t[l] = l; // EXPECT missing-fence 't'
    barrier(l < 4 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    out[i] = g[i ^ 7] + t[7 - l];
}
