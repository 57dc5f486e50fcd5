// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `lid == 7` at or_first_part.cl:
// SAYS: was true for work-item 7, false for work-items 0..6
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid == 7 || n == 9)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
