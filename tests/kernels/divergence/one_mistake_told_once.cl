// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: 1 finding (1 barrier-divergence)
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid > 5)
        return;
    for (int k = 0; k < 3; k++)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    barrier(CLK_GLOBAL_MEM_FENCE);
}
