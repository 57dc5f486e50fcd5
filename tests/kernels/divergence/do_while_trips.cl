// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: the condition `++k < lid` at do_while_trips.cl:
// SAYS: was true for work-items 2..7, false for work-items 0..1
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    int k = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    } while (++k < lid);
    a[lid] += n;
}
