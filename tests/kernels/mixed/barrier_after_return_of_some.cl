// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int=10
kernel void k(global int *o, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    o[i] = i;
}
