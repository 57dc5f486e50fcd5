// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --arg=int[64]=iota --arg=int[16]=0
kernel void histogram(global const int *in, global int *out)
{
    local int bins[8];
    int lid = get_local_id(0);
    if (lid < 8)
        bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[(in[get_global_id(0)] + 3) % 8]); // EXPECT data-race 'bins'
    if (lid < 8)
        out[get_group_id(0) * 8 + lid] = bins[lid];
}
