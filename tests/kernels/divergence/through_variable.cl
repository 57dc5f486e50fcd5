// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=3
kernel void k(global int *a, int n)
{
    int lid = get_local_id(0);
    int odd = lid & 1;
    if (odd)
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[lid] += n;
}
// NOTE: 4 work-items of 8 (local 1, 3, .., 7) are at the barrier at through_variable.cl:8
// NOTE: 4 work-items of 8 (local 0, 2, .., 6) have returned from the kernel
// NOTE: the condition `odd` at through_variable.cl:7:9 was true for work-items 1, 3, .., 7, false for work-items 0, 2, .., 6
