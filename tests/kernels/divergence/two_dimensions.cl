// SPDX-License-Identifier: MIT
// RUN: --global=8,4 --local=8,4 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (lid < 3)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
// NOTE: 12 work-items of 32 (local (0..2,0..3)) are at the barrier at two_dimensions.cl:7
// NOTE: 20 work-items of 32 (local (3..7,0..3)) have returned from the kernel
// NOTE: the condition `lid < 3` at two_dimensions.cl:6:13 was true for work-items (0..2,0..3), false for work-items (3..7,0..3)
// NOTE: there `lid` was 0..2 where true, 3..7 where false
