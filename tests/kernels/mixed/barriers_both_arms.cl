// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o)
{
    int l = get_local_id(0);
    if (l & 1)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    else
        barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    o[l] = l;
}
