// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 2 if i % 4 == 3 else i for i in range(8)]
#define SYNC() do { barrier(CLK_LOCAL_MEM_FENCE); } while (0)
#define ON(lid) ((lid) % 4 == 3)
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    if (ON(lid)) {
        SYNC(); // EXPECT barrier-divergence
        a[lid] += 2;
    }
}
// NOTE: SYNC is a macro, whose statements all stand where it is used:
// NOTE: 2 work-items of 8 (local 3, 7) are at the barrier at macro_under_a_condition.cl:10
// NOTE: 6 work-items of 8 (local 0..2, 4..6) have returned from the kernel
// NOTE: the condition `ON(lid)` at macro_under_a_condition.cl:9:9 was true for work-items 3, 7, false for work-items 0..2, 4..6
