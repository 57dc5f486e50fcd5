// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=1 --arg=int[16]=iota
// RUN: --global=16 --local=2 --arg=int[16]=iota
// RUN: --global=16 --local=8 --arg=int[16]=iota
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: by_group(lambda g: [0, *itertools.accumulate(g)][:-1])
// Up and down again (Blelloch).
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    int d = 1;
    for (; d < n; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid % (2 * d) == 2 * d - 1)
            t[lid] += t[lid - d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == n - 1)
        t[lid] = 0;
    for (d /= 2; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid % (2 * d) == 2 * d - 1) {
            int x = t[lid - d];
            t[lid - d] = t[lid];
            t[lid] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[lid];
}
