// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [g[j - 4] for j in range(len(g))] if len(g) > 4 else [g[(j - 4) % len(g)] for j in range(len(g))])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    int x = a[i];
    for (int k = 0; k < 4; k++) {
        if (k % 2) {
            t[lid] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[(lid + n - 1) % n];
        } else {
            a[i] = x;
            barrier(CLK_GLOBAL_MEM_FENCE);
            x = a[i - lid + (lid + n - 1) % n];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    a[i] = x;
}
