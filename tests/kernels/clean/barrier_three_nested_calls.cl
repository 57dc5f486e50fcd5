// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [8 * (i // 8) * 3 + sum((i + d) % 8 for d in (1, 2, 3)) for i in range(16)]
int get(local const int *t, int at)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = t[at % 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}
int around(local int *t, int lid, int x)
{
    t[lid] = x;
    return get(t, lid + 1) + get(t, lid + 2);
}
int all_of(local int *t, int lid, int x)
{
    int s = around(t, lid, x);
    return s + get(t, lid + 3);
}
kernel void nested(global int *a)
{
    local int t[8];
    int gid = get_global_id(0);
    a[gid] = all_of(t, get_local_id(0), a[gid]);
}
