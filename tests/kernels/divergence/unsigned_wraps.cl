// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uint[4]=iota
// DUMP 0: [0, 1, 2, 3]
// lid - 1 is large for the first: the report shows the values that were compared.
kernel void k(global uint *a)
{
    uint lid = get_local_id(0);
    if (lid - 1 < 2)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
// NOTE: 2 work-items of 4 (local 1..2) are at the barrier at unsigned_wraps.cl:9
// NOTE: 2 work-items of 4 (local 0, 3) have returned from the kernel
// NOTE: the condition `lid - 1 < 2` at unsigned_wraps.cl:8:17 was true for work-items 1..2, false for work-items 0, 3
// NOTE: there `lid - 1` was 0..1 where true, 2, 4294967295 where false
