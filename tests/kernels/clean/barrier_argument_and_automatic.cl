// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=local:int[24]
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=local:int[24]
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=local:int[24]
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=local:int[24]
// DUMP 0: by_group(lambda g: [g[-1 - j] + g[0] for j in range(len(g))])
kernel void k(global int *a, local int *t)
{
    local int first;
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    if (lid == 0)
        first = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[n - 1 - lid] + first;
}
