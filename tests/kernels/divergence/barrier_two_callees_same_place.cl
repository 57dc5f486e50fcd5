// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0
void step(void) { barrier(CLK_LOCAL_MEM_FENCE); } // EXPECT barrier-divergence
kernel void k(global int *o)
{
    if (get_local_id(0) & 1)
        step();
    else
        step();
    o[get_global_id(0)] = 1;
}
