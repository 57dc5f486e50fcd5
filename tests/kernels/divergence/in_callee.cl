// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: [i + 1 for i in range(16)]
void sync(void)
{
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
kernel void call(global int *a)
{
    int lid = get_local_id(0);
    if (lid != 3)
        sync();
    a[lid]++;
}
// NOTE: in 'sync' called from in_callee.cl:12:9
// NOTE: 15 work-items of 16 (local 0..2, 4..15) are at the barrier at in_callee.cl:6
// NOTE: 1 work-item of 16 (local 3) has returned from the kernel
// NOTE: the condition `lid != 3` at in_callee.cl:11:13 was true for work-items 0..2, 4..15, false for work-item 3
// NOTE: there `lid` was 0..2, 4..15 where true, 3 where false
