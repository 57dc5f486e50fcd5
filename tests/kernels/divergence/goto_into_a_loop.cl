// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=2
// DUMP 0: [i + (5 if i < 3 else 6) for i in range(8)]
// Three work-items enter after the first barrier.
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0), c = 0;
    if (lid < 3)
        goto middle;
top:
    a[lid]++;
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
middle:
    a[lid]++;
    barrier(CLK_GLOBAL_MEM_FENCE); // OTHER barrier-divergence
    a[lid]++;
    if (++c < n)
        goto top;
}
// NOTE: 5 work-items of 8 (local 3..7) are at the barrier at goto_into_a_loop.cl:12
// NOTE: 3 work-items of 8 (local 0..2) are at the barrier at goto_into_a_loop.cl:15
// NOTE: the condition `lid < 3` at goto_into_a_loop.cl:8:13 was true for work-items 0..2, false for work-items 3..7
// NOTE: there `lid` was 0..2 where true, 3..7 where false
