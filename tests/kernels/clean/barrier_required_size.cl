// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=6 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [sum(g)] * 6)
kernel __attribute__((reqd_work_group_size(6, 1, 1))) void k(global int *a)
{
    local int t[6];
    int i = get_global_id(0), lid = get_local_id(0), sum = 0;
    t[lid] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 6; k++)
        sum += t[k];
    a[i] = sum;
}
