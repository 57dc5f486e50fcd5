// SPDX-License-Identifier: MIT
// RUN: --global=2,2,4 --local=2,2,4 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    if (get_local_id(2) > 1)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
// NOTE: 8 work-items of 16 (local (0..1,0..1,2..3)) are at the barrier at three_dimensions.cl:7
// NOTE: 8 work-items of 16 (local (0..1,0..1,0..1)) have returned from the kernel
// NOTE: the condition `get_local_id(2) > 1` at three_dimensions.cl:6:25 was true for work-items (0..1,0..1,2..3), false for work-items (0..1,0..1,0..1)
// NOTE: there `get_local_id(2)` was 2..3 where true, 0..1 where false
