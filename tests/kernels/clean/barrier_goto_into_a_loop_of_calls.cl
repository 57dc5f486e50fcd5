// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=4 --arg=int[24]=iota --arg=int=0
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=0
// DUMP 0: by_group(lambda g: [g[(j + 4) % len(g)] + 100 for j in range(len(g))])
// Two entries of a loop whose barriers are in a function, values in flight over the jumps.
int next(local int *t, int x)
{
    int l = get_local_id(0);
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}
kernel void k(global int *a, int n)
{
    local int t[64];
    int i = get_global_id(0), x = a[i], k = 0, y = n ? 7 : 100;
    if (n == 0)
        goto second;
    do {
        x = next(t, x);
        if (k > 1)
            break;
    second:
        x = next(t, x);
    } while (k++ < 5);
    a[i] = x + y;
}
