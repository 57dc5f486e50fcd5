// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [i if i % 8 >= 4 else 8 * (i // 8) + i % 8 + 4 for i in range(16)]
kernel void half_copy(global int *a)
{
    local int t[8];
    int lid = get_local_id(0), gid = get_global_id(0);
    t[lid] = a[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid >= 4)
        return;
    a[gid] = t[lid + 4];
}
