// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 10 * (i % 4) for i in range(8)]
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    switch (lid & 3) {
    case 0: barrier(CLK_LOCAL_MEM_FENCE); break; // EXPECT barrier-divergence
    case 1: barrier(CLK_LOCAL_MEM_FENCE); a[lid] += 10; break; // OTHER barrier-divergence
    case 2: barrier(CLK_LOCAL_MEM_FENCE); a[lid] += 20; break; // OTHER barrier-divergence
    case 3: a[lid] += 30; break;
    }
}
// NOTE: 2 work-items of 8 (local 0, 4) are at the barrier at four_ways.cl:8
// NOTE: 2 work-items of 8 (local 1, 5) are at the barrier at four_ways.cl:9
// NOTE: 2 work-items of 8 (local 2, 6) are at the barrier at four_ways.cl:10
// NOTE: 2 work-items of 8 (local 3, 7) have returned from the kernel
// NOTE: at the switch on `lid & 3` at four_ways.cl:7:5, case 0 was for work-items 0, 4, not for work-items 1..3, 5..7
// NOTE: there `lid & 3` was 0 for that case, 1..3 otherwise
