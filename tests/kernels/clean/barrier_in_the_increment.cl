// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=5
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=5
// DUMP 0: by_group(lambda g: [g[(j + 4) % len(g)] for j in range(len(g))])
kernel void k(global int *a, int n)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), x = a[i];
    for (int k = 0; k < n; barrier(CLK_LOCAL_MEM_FENCE), k++) {
        if (k == 2)
            continue;
        t[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = t[(l + 1) % s];
    }
    a[i] = x;
}
