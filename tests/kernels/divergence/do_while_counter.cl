// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 2 + i // 2 for i in range(8)]
kernel void k(global int *a)
{
    int lid = get_local_id(0), turns = 2 + lid / 2;
    do {
        barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
        a[lid]++;
    } while (--turns);
}
// NOTE: 6 work-items of 8 (local 2..7) are at the barrier at do_while_counter.cl:8, in iteration 3 of the loop at do_while_counter.cl:7
// NOTE: 2 work-items of 8 (local 0..1) have returned from the kernel
// NOTE: the condition `--turns` at do_while_counter.cl:10:5 was true for work-items 2..7, false for work-items 0..1
