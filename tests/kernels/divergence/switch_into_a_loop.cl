// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
// DUMP 0: [2 * i + 4 - i % 2 for i in range(8)]
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0), turns = 2;
    switch (lid % 2) {
    case 0:
        do {
            a[lid]++;
            barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    case 1:
            a[lid]++;
        } while (--turns);
    }
    a[lid] += lid;
}
// NOTE: 4 work-items of 8 (local 0, 2, .., 6) are at the barrier at switch_into_a_loop.cl:11
// NOTE: 4 work-items of 8 (local 1, 3, .., 7) have returned from the kernel
// NOTE: the condition `--turns` at switch_into_a_loop.cl:14:9 was true for work-items 0, 2, .., 6, false for work-items 1, 3, .., 7
