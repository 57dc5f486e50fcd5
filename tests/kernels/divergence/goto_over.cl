// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `lid != 2` at goto_over.cl:
// SAYS: was true for work-items 0..1, 3..7, false for work-item 2
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid != 2)
        goto out;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
out:
    a[lid] += n;
}
