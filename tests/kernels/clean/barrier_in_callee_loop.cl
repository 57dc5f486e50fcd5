// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota
// DUMP 0: [sum(range(16 * (i // 16), 16 * (i // 16) + i % 16 + 1)) for i in range(64)]
// An inclusive scan whose barriers are in a function called from a loop.
int step(local int *t, int lid, int d)
{
    int x = lid >= d ? t[lid - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[lid] += x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return d * 2;
}
kernel void scan(global int *a)
{
    local int t[16];
    int lid = get_local_id(0), gid = get_global_id(0);
    t[lid] = a[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 16;)
        d = step(t, lid, d);
    a[gid] = t[lid];
}
