// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=1
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=0
// DUMP 0: None
// All come in at the same place, by the argument; they do not all go round equally often.
kernel void k(global int *a, int middle)
{
    int lid = get_local_id(0), turn = 0;
    if (middle)
        goto second;
first:
    a[lid]++;
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
second:
    a[lid]++;
    if (turn++ < 1 + (lid > 4))
        goto first;
}
// NOTE: 3 work-items of 8 (local 5..7) are at the barrier at loop_of_two_entries_left_unevenly.cl:13, in iteration 2 of the loop at loop_of_two_entries_left_unevenly.cl:16
// NOTE: 5 work-items of 8 (local 0..4) have returned from the kernel
// NOTE: the condition `turn++ < 1 + (lid > 4)` at loop_of_two_entries_left_unevenly.cl:16:16 was true for work-items 5..7, false for work-items 0..4
// NOTE: there `turn++` was 1
