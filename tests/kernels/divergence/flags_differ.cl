// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: warning: the flags of this barrier differ between work-items of the group
// SAYS: CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, given by work-item local (0,0,0)
// SAYS: CLK_GLOBAL_MEM_FENCE, given by work-item local (1,0,0)
// DUMP 0: [i + 1 for i in range(8)]
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    a[lid]++;
    barrier(lid ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
}
// SAYS: help: Give the barrier the same flags
