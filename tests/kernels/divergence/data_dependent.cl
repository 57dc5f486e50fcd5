// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[8]=1,1,1,1,1,0,1,1
// DUMP 0: [v + 1 for v in (1, 1, 1, 1, 1, 0, 1, 1)]
// SAYS: group (1,0,0)
kernel void data(global int *a)
{
    int gid = get_global_id(0);
    if (a[gid])
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[gid]++;
}
// NOTE: 3 work-items of 4 (local 0, 2..3) are at the barrier at data_dependent.cl:9
// NOTE: 1 work-item of 4 (local 1) has returned from the kernel
// NOTE: the condition `a[gid]` at data_dependent.cl:8:9 was true for work-items 0, 2..3, false for work-item 1
