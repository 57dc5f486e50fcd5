// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 3 if i != 5 else i + 2 for i in range(8)]
int round(global int *a, int k)
{
    int lid = get_local_id(0);
    if (k == 1 && lid == 5)
        return 0;
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    return 1;
}
kernel void k(global int *a)
{
    int sum = 0;
    for (int k = 0; k < 3; k++) sum += round(a, k);
    a[get_global_id(0)] += sum;
}
// NOTE: in 'round' called from callee_returns_in_a_loop.cl:15:40
// NOTE: 7 work-items of 8 (local 0..4, 6..7) are at the barrier at callee_returns_in_a_loop.cl:9, in iteration 2 of the loop at callee_returns_in_a_loop.cl:15
// NOTE: 1 work-item of 8 (local 5) is at the barrier at callee_returns_in_a_loop.cl:9, in iteration 3 of the loop at callee_returns_in_a_loop.cl:15
// NOTE: the condition `lid == 5` at callee_returns_in_a_loop.cl:7:23 was true for work-item 5, false for work-items 0..4, 6..7
// NOTE: there `lid` was 5 where true, 0..4, 6..7 where false
