// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=2
// RUN: --global=24 --local=6 --arg=int[24]=iota --arg=int=2
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=2
// DUMP 0: by_group(lambda g: [g[(j + 10) % len(g)] + 3 for j in range(len(g))])
// Into the inner of two loops: that gives both several entries.
kernel void k(global int *a, int first)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = a[i], outer = 0, inner = first;
    if (first)
        goto in;
    for (; outer < 3; outer++) {
        x++;
        for (inner = 0; inner < 4; inner++) {
        in:
            t[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    a[i] = x + 1;
}
