// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o)
{
    int s = 0;
    for (int i = 0; i < 4; i++) {
        if ((i + get_local_id(0)) % 2) continue;
        s += i;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    o[get_global_id(0)] = s;
}
