// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=4
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=4
// DUMP 0: by_group(lambda g: [g[(j + (4 if g[0] // L % 2 else 2)) % len(g)] for j in range(len(g))])
// Groups with an odd number go one way, the others another: loops with barriers in both.
kernel void k(global int *a, int n)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), x = a[i];
    if (get_group_id(0) & 1) {
        for (int k = 0; k < n; k++) {
            t[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[(l + 1) % s];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    } else {
        int k = n;
        do {
            t[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[(l + 1) % s];
            barrier(CLK_LOCAL_MEM_FENCE);
        } while ((k -= 2) > 0);
    }
    a[i] = x;
}
