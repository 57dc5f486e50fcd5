// SPDX-License-Identifier: MIT
// RUN: --global=2,2,4 --local=2,2,4 --arg=int[8]=iota --arg=int=3
// SAYS: true for work-items (0..1,0..1,2..3), false for work-items (0..1,0..1,0..1)
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (get_local_id(2) > 1)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
