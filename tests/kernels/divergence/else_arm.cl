// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `lid > 4` at else_arm.cl:
// SAYS: was true for work-items 5..7, false for work-items 0..4
// SAYS: 3 work-items of 8 (local 5..7) have returned
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid > 4)
        n++;
    else
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
