// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [1 if i < 3 else 2 for i in range(8)]
int sync(int x)
{
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    return x;
}
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    a[lid] = lid < 3 ? sync(1) : sync(2);
}
// NOTE: in 'sync' called from chosen_call.cl:12:34
// NOTE: in 'sync' called from chosen_call.cl:12:24
// NOTE: 5 work-items of 8 (local 3..7) are at the barrier at chosen_call.cl:6, called from chosen_call.cl:12
// NOTE: 3 work-items of 8 (local 0..2) are at the barrier at chosen_call.cl:6, called from chosen_call.cl:12
// NOTE: the condition `lid < 3` at chosen_call.cl:12:18 was true for work-items 0..2, false for work-items 3..7
// NOTE: there `lid` was 0..2 where true, 3..7 where false
