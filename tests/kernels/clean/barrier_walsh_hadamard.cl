// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=1 --arg=int[16]=iota
// RUN: --global=16 --local=2 --arg=int[16]=iota
// RUN: --global=16 --local=8 --arg=int[16]=iota
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: by_group(lambda g: [sum(-g[j] if bin(j & k).count("1") % 2 else g[j] for j in range(len(g))) for k in range(len(g))])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    for (int d = 1; d < n; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = t[lid], y = t[lid ^ d];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] = lid & d ? y - x : x + y;
    }
    a[i] = t[lid];
}
