// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: the condition `k == lid` at break_out.cl:9:15 was true for work-item 0, false for work-items 1..7
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
