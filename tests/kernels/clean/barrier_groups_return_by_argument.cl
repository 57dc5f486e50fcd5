// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=1
// DUMP 0: by_group(lambda g: [x if g[0] // L < 1 else x + g[0] for x in g])
kernel void k(global int *a, int first)
{
    local int t;
    int i = get_global_id(0);
    if ((int)get_group_id(0) < first)
        return;
    if (get_local_id(0) == 0)
        t = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] += t;
}
