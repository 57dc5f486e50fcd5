// SPDX-License-Identifier: MIT
// RUN: --global=8,4 --local=8,4 --arg=int[8]=iota --arg=int=3
// SAYS: (local (0..2,0..3)) are at
// SAYS: true for work-items (0..2,0..3), false for work-items (3..7,0..3)
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid < 3)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
