// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --check=all,-data-race
// DUMP 0: [1] * 8
// None of them gets through unless each barrier releases the work-items that came to another.
kernel void k(global int *a)
{
    volatile local int flag;
    int lid = get_local_id(0);
    if (lid == 0)
        flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        flag = 1;
    } else {
        while (!flag) barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    }
    a[lid] = flag;
}
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at waits_for_who_waits_elsewhere.cl:16, in iteration 1 of the loop at waits_for_who_waits_elsewhere.cl:16
// NOTE: 1 work-item of 8 (local 0) is at the barrier at waits_for_who_waits_elsewhere.cl:13
// NOTE: the condition `lid == 0` at waits_for_who_waits_elsewhere.cl:12:13 was true for work-item 0, false for work-items 1..7
// NOTE: there `lid` was 0 where true, 1..7 where false
