// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [g[(j + 10) % len(g)] for j in range(len(g))])
int next(local int *t, int x)
{
    int lid = get_local_id(0);
    t[lid] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[(lid + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), x = a[i];
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    x = next(t, x);
    a[i] = x;
}
