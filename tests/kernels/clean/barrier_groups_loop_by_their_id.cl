// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [x + (g[0] // L) * len(g) for x in g])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    for (int k = 0; k < (int)get_group_id(0); k++) {
        t[lid] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = 0;
        for (int j = 0; j < n; j++)
            sum += t[j];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[i] += sum;
    }
}
