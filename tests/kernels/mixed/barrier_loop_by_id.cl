// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o)
{
    int l = get_local_id(0);
    for (int i = 0; i < l; i++)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    o[l] = l;
}
