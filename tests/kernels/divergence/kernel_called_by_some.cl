// SPDX-License-Identifier: MIT
// RUN: --kernel=k --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + (i >= 6) for i in range(8)]
kernel void step(global int *a)
{
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    a[get_global_id(0)]++;
}
kernel void k(global int *a)
{
    if (get_global_id(0) >= 6)
        step(a);
}
// NOTE: in 'step' called from kernel_called_by_some.cl:12:9
// NOTE: 2 work-items of 8 (local 6..7) are at the barrier at kernel_called_by_some.cl:6
// NOTE: 6 work-items of 8 (local 0..5) have returned from the kernel
// NOTE: the condition `get_global_id(0) >= 6` at kernel_called_by_some.cl:11:26 was true for work-items 6..7, false for work-items 0..5
// NOTE: there `get_global_id(0)` was 6..7 where true, 0..5 where false
