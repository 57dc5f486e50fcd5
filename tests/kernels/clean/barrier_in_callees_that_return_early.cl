// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=2
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=2
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=2
// DUMP 0: by_group(lambda g: [g[(j + 3) % len(g)] + 1000 + 10 + 1 for j in range(len(g))])
int inner(local int *t, int x, int depth)
{
    int l = get_local_id(0), n = get_local_size(0);
    if (depth == 0)
        return x + 1;
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[(l + 1) % n];
    if (depth == 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        return x + 10;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    return x + 1000;
}
int outer(local int *t, int x, int depth)
{
    if (depth < 0)
        return x;
    x = inner(t, x, depth);
    if (depth == 0)
        return x;
    return depth == 1 ? inner(t, x, depth - 1) : inner(t, inner(t, x, depth - 1), depth - 2);
}
kernel void k(global int *a, int depth)
{
    local int t[64];
    int i = get_global_id(0);
    a[i] = outer(t, a[i], depth);
}
