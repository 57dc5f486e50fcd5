// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota
// DUMP 0: [i + 1 for i in range(32)]
kernel void half_group(global int *a)
{
    int lid = get_local_id(0);
    if (lid < 8)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[get_global_id(0)] += 1;
}
// NOTE: 8 work-items of 16 (local 0..7) are at the barrier at condition.cl:8
// NOTE: 8 work-items of 16 (local 8..15) have returned from the kernel
// NOTE: the condition `lid < 8` at condition.cl:7:13 was true for work-items 0..7, false for work-items 8..15
// NOTE: there `lid` was 0..7 where true, 8..15 where false
// NOTE: 2 times in 2 work-groups; shown once
