// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [sum(g)] * len(g))
// Reduction where the size is not a power of two: odd remainders are rounded up.
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    for (int m = n; m > 1;) {
        int part = (m + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid + part < m)
            t[lid] += t[lid + part];
        m = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[0];
}
