// SPDX-License-Identifier: MIT
// RUN: --kernel=k --global=24 --local=1 --arg=int[24]=iota --arg=local:int[1]
// RUN: --kernel=k --global=24 --local=8 --arg=int[24]=iota --arg=local:int[8]
// RUN: --kernel=k --global=24 --local=24 --arg=int[24]=iota --arg=local:int[24]
// DUMP 0: by_group(lambda g: [g[(j + 3) % len(g)] + 2 for j in range(len(g))])
kernel void rotate1(global int *a, local int *t)
{
    int i = get_global_id(0), l = get_local_id(0);
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void twice(global int *a, local int *t)
{
    rotate1(a, t);
    rotate1(a, t);
    a[get_global_id(0)]++;
}
kernel void k(global int *a, local int *t)
{
    twice(a, t);
    if (get_local_size(0) > 0)
        rotate1(a, t);
    a[get_global_id(0)]++;
}
