// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [0] * 8
// The function with the barrier is called only where the first part of the condition holds.
bool more(int x)
{
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    return x < 100;
}
kernel void k(global int *a)
{
    int lid = get_local_id(0), x = a[lid] % 3;
    while (x > 0 && more(x)) x--;
    a[lid] = x;
}
// NOTE: in 'more' called from condition_with_a_barrier.cl:13:21
// NOTE: 5 work-items of 8 (local 1..2, 4..5, 7) are at the barrier at condition_with_a_barrier.cl:7, in iteration 1 of the loop at condition_with_a_barrier.cl:13
// NOTE: 3 work-items of 8 (local 0, 3, 6) have returned from the kernel
// NOTE: the condition `x > 0` at condition_with_a_barrier.cl:13:14 was true for work-items 1..2, 4..5, 7, false for work-items 0, 3, 6
// NOTE: there `x` was 1..2 where true, 0 where false
