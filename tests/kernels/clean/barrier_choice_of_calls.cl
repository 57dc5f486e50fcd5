// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=1
// DUMP 0: by_group(lambda g: [x + g[-1] for x in g])
int last(local int *t, int x)
{
    t[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return t[get_local_size(0) - 1];
}
int first(local int *t, int x)
{
    t[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return t[0];
}
kernel void k(global int *a, int n)
{
    local int t[64];
    int i = get_global_id(0);
    a[i] += n ? last(t, a[i]) : first(t, a[i]);
}
