// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --arg=int[64]=iota --arg=int[16]=0
// No barrier between the plain stores of zero and the atomics.
kernel void histogram(global const int *in, global int *out)
{
    local int bins[8];
    int lid = get_local_id(0);
    if (lid < 8)
        bins[lid] = 0; // EXPECT data-race 'bins'
    atomic_inc(&bins[in[get_global_id(0)] * 5 % 8]); // OTHER data-race
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 8)
        out[get_group_id(0) * 8 + lid] = bins[lid];
}
