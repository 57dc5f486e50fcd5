// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [g[(j + 2) % len(g)] * 10 + g[(j + 1) % len(g)] for j in range(len(g))])
// Several calls in one expression, and as arguments of one another.
int shift(local int *t, int x)
{
    int l = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return t[(l + 1) % get_local_size(0)];
}
kernel void k(global int *a)
{
    local int t[64];
    int x = a[get_global_id(0)];
    a[get_global_id(0)] = shift(t, shift(t, x)) * 10 + shift(t, x);
}
