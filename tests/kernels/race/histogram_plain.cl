// SPDX-License-Identifier: MIT
// RUN: --kernel=hist --global=64 --local=16 --arg=uint[64]=iota --arg=uint[8]=0
kernel void hist(global const uint *in, global uint *bins)
{
    local uint h[8];
    int l = get_local_id(0);
    if (l < 8) h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    h[in[get_global_id(0)] % 8]++; // EXPECT data-race 'h'
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) atomic_add(&bins[l], h[l]);
}
