// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [3] * 4 + [0] * 4
kernel void count(global int *out)
{
    local int bins[4];
    int lid = get_local_id(0);
    if (lid < 4)
        bins[lid] = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[lid + 4], 1); // EXPECT out-of-bounds 'bins'
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 4)
        out[lid] = bins[lid];
}
