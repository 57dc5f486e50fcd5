// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `lid < 2` at and_second_part.cl:
// SAYS: was true for work-items 0..1, false for work-items 2..7
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (n == 3 && lid < 2)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
