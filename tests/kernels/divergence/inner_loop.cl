// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `k <= lid` at inner_loop.cl:
// SAYS: was true for work-items 1..7, false for work-item 0
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    for (int j = 0; j < 1; j++)
        for (int k = 0; k <= lid; k++)
            barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
