// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [g[(j + g[0] % 2) % len(g)] for j in range(len(g))])
// Read at an address that is made of ids, and yet the same for the whole group.
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), x = a[i], odd = a[i - l] % 2;
    t[l] = x;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (odd) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x = t[(l + 1) % get_local_size(0)];
    }
    a[i] = x;
}
