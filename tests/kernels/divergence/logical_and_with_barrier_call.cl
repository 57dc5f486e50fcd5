// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
int sync(void) { barrier(CLK_LOCAL_MEM_FENCE); return 1; } // EXPECT barrier-divergence
kernel void k(global int *o)
{
    if (get_local_id(0) < 6 && sync()) o[get_global_id(0)] = 1;
}
