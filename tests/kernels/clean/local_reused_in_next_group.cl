// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota
// DUMP 0: [i // 8 * 8 + 7 - i % 8 for i in range(64)]
// Local memory belongs to each group anew: no race between groups in it.
kernel void reverse(global int *a)
{
    local int t[8];
    int lid = get_local_id(0);
    t[lid] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[7 - lid];
}
