// SPDX-License-Identifier: MIT
// RUN: --global=600 --local=300 --arg=int[600]=0
// DUMP 0: [(i % 300 != 271) for i in range(600)]
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    if (lid != 271) {
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        a[get_global_id(0)]++;
    }
}
// NOTE: 299 work-items of 300 (local 0..270, 272..299) are at the barrier at one_of_three_hundred.cl:8
// NOTE: 1 work-item of 300 (local 271) has returned from the kernel
// NOTE: the condition `lid != 271` at one_of_three_hundred.cl:7:13 was true for work-items 0..270, 272..299, false for work-item 271
// NOTE: there `lid` was 0..270, 272..299 where true, 271 where false
// NOTE: 2 times in 2 work-groups; shown once
