// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `x > 5` at helper_returns_early.cl:
// SAYS: was true for work-items 6..7, false for work-items 0..5
void part(int x)
{
    if (x > 5)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    part(lid);
    a[lid] += n;
}
