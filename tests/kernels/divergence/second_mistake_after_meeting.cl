// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// SAYS: cldbg: 2 errors in 1 kernel launch (2 barrier-divergence)
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid < 3)
        barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    if (lid > 5)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
// NOTE: 5 work-items of 8 (local 3..7) are at the barrier at second_mistake_after_meeting.cl:9
// NOTE: 3 work-items of 8 (local 0..2) are at the barrier at second_mistake_after_meeting.cl:8
// NOTE: the condition `lid < 3` at second_mistake_after_meeting.cl:7:13 was true for work-items 0..2, false for work-items 3..7
// NOTE: there `lid` was 0..2 where true, 3..7 where false
// NOTE: 2 work-items of 8 (local 6..7) are at the barrier at second_mistake_after_meeting.cl:11
// NOTE: 6 work-items of 8 (local 0..5) have returned from the kernel
// NOTE: the condition `lid > 5` at second_mistake_after_meeting.cl:10:13 was true for work-items 6..7, false for work-items 0..5
// NOTE: there `lid` was 6..7 where true, 0..5 where false
