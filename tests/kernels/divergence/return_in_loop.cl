// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `a[lid] == k` at return_in_loop.cl:
// SAYS: was true for work-item 0, false for work-items 1..7
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 3; k++) {
        if (a[lid] == k)
            return;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[lid] += n;
}
