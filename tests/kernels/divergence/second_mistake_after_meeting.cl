// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: 2 findings (2 barrier-divergence)
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid < 3)
        barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    if (lid > 5)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
