// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o)
{
    if (get_local_id(0) == 2) goto out;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
out:
    o[get_global_id(0)] = 1;
}
