// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: [i + 1 for i in range(16)]
kernel void two(global int *a)
{
    int lid = get_local_id(0);
    if (lid % 2)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    else
        barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    a[lid] += 1;
}
