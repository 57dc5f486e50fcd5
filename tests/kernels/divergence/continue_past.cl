// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `lid == k` at continue_past.cl:
// SAYS: was true for work-item 0, false for work-items 1..7
// SAYS: reach this barrier in different iterations
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 2; k++) {
        if (lid == k)
            continue;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[lid] += n;
}
