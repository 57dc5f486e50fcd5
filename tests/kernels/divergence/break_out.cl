// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + min(i, 3) for i in range(8)]
kernel void leave(global int *a)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 3; k++) {
        if (k == lid)
            break;
        a[lid]++;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
}
