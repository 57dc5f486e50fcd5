// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o)
{
    int s = 0;
    switch (get_local_id(0) % 3) {
    case 0: s += 1; break;
    case 1: s += 2;
    case 2: barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    o[get_global_id(0)] = s;
}
