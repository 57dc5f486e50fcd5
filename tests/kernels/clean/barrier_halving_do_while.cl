// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=1 --arg=int[16]=iota
// RUN: --global=16 --local=2 --arg=int[16]=iota
// RUN: --global=16 --local=8 --arg=int[16]=iota
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: by_group(lambda g: [sum(g)] * len(g))
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    int s = n;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        s >>= 1;
        if (lid < s)
            t[lid] += t[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (s > 0);
    a[i] = t[0];
}
