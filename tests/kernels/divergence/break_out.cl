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
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at break_out.cl:11, in iteration 1 of the loop at break_out.cl:7
// NOTE: 1 work-item of 8 (local 0) has returned from the kernel
// NOTE: the condition `k == lid` at break_out.cl:8:15 was true for work-item 0, false for work-items 1..7
// NOTE: there `k` was 0; `lid` was 0 where true, 1..7 where false
