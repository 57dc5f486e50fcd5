// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: [max(range(16))] * 16
kernel void spread_max(global int *a)
{
    local int t[16];
    int lid = get_local_id(0), s = 8;
    t[lid] = a[lid];
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = max(t[lid], t[lid ^ s]);
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] = x;
        s /= 2;
    } while (s);
    a[lid] = t[lid];
}
