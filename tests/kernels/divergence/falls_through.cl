// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + (3 if i == 1 else 2 if i == 2 else 0) for i in range(8)]
kernel void k(global int *a)
{
    int lid = get_local_id(0);
    switch (lid) {
    case 1:
        a[lid]++;
    case 2:
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        a[lid] += 2;
    }
}
// NOTE: 2 work-items of 8 (local 1..2) are at the barrier at falls_through.cl:11
// NOTE: 6 work-items of 8 (local 0, 3..7) have returned from the kernel
// NOTE: at the switch on `lid` at falls_through.cl:7:5, case 2 was for work-item 2, the default (or no case) for work-items 0, 3..7
// NOTE: there `lid` was 2 for that case, 0, 3..7 otherwise
