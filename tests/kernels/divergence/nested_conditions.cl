// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `lid % 2 == 0` at nested_conditions.cl:
// SAYS: was true for work-items 0, 2, false for work-items 1, 3
// SAYS: the condition `lid < 4` at nested_conditions.cl:
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid < 4)
        if (lid % 2 == 0)
            barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
