// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 1 for i in range(8)]
kernel void choose(global int *a)
{
    int lid = get_local_id(0);
    switch (lid) {
    case 0: break;
    default: barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[lid]++;
}
