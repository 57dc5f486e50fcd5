// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=3
// DUMP 0: [i + 1 for i in range(24)]
kernel void k(global int *a, int n)
{
    int i = get_global_id(0), lid = get_local_id(0), s = 0;
    local int t[24];
    t[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int m = 0;
    for (int x = 0; x < (int)get_local_size(0); x++)
        m = max(m, t[x]);
    for (int x = 0; x <= m; x++)
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    s = m + 2 - (int)get_local_size(0);
    a[i] += s;
}
