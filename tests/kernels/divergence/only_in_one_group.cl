// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota
// DUMP 0: [i + (i < 20 or i >= 24) for i in range(32)]
kernel void k(global int *a)
{
    int i = get_global_id(0);
    if (i >= 20 && i < 24)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[i]++;
}
// SAYS: group (2,0,0)
// NOTE: 4 work-items of 8 (local 0..3) are at the barrier at only_in_one_group.cl:9
// NOTE: 4 work-items of 8 (local 4..7) have returned from the kernel
// NOTE: the condition `i >= 20` at only_in_one_group.cl:7:11 was true for work-items 4..7, false for work-items 0..3
// NOTE: there `i` was 20..23 where true, 16..19 where false
