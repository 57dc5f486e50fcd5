// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `lid` at helper_two_deep.cl:
// SAYS: was true for work-items 1..7, false for work-item 0
void inner(void)
{
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
void outer(void) { inner(); }
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid)
        outer();
    a[lid] += n;
}
