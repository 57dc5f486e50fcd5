// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=0
// DUMP 0: [i // 16 * 100 + 15 - i % 16 for i in range(64)]
// Global memory as scratch of one group, fenced as such.
kernel void reverse(global int *a)
{
    int lid = get_local_id(0), base = 16 * get_group_id(0);
    a[base + lid] = get_group_id(0) * 100 + lid;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int x = a[base + 15 - lid];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    a[base + lid] = x;
}
