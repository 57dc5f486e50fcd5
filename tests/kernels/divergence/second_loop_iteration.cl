// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    for (int k = 0; k < 3; k++) {
        if (lid + k == 8)
            break;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[lid] += n;
}
// NOTE: 7 work-items of 8 (local 0..6) are at the barrier at second_loop_iteration.cl:9, in iteration 2 of the loop at second_loop_iteration.cl:6
// NOTE: 1 work-item of 8 (local 7) has returned from the kernel
// NOTE: the condition `lid + k == 8` at second_loop_iteration.cl:7:21 was true for work-item 7, false for work-items 0..6
// NOTE: there `lid + k` was 8 where true, 1..7 where false
