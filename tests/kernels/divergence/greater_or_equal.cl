// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=12 --arg=float[12]=iota --arg=float=2.5
// DUMP 0: [i / 2 for i in range(12)]
// The operands of >= are reported as the source has them; many non-integral numbers by their limits.
kernel void k(global float *a, float limit)
{
    int lid = get_local_id(0);
    a[lid] *= 0.5f;
    if (a[lid] >= limit)
        barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
}
// NOTE: 7 work-items of 12 (local 5..11) are at the barrier at greater_or_equal.cl:10
// NOTE: 5 work-items of 12 (local 0..4) have returned from the kernel
// NOTE: the condition `a[lid] >= limit` at greater_or_equal.cl:9:16 was true for work-items 5..11, false for work-items 0..4
// NOTE: there `a[lid]` was 2.5 to 5.5 where true, 0, 0.5, 1, 1.5, 2 where false; `limit` was 2.5
