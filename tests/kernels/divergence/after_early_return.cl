// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[30]=iota --arg=int=30
// DUMP 0: [i * 2 for i in range(30)]
kernel void guarded(global int *a, int n)
{
    int gid = get_global_id(0);
    if (gid >= n)
        return;
    a[gid] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
// NOTE: 6 work-items of 8 (local 0..5) are at the barrier at after_early_return.cl:10
// NOTE: 2 work-items of 8 (local 6..7) have returned from the kernel
// NOTE: the condition `gid >= n` at after_early_return.cl:7:13 was true for work-items 6..7, false for work-items 0..5
// NOTE: there `gid` was 30..31 where true, 24..29 where false; `n` was 30
