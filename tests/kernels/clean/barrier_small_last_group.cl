// SPDX-License-Identifier: MIT
// RUN: --global=20 --local=8 --arg=int[20]=iota
// DUMP 0: [i // 8 * 8 + (8 if i < 16 else 4) - 1 - i % 8 for i in range(20)]
kernel void reverse(global int *a)
{
    local int t[8];
    int lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[n - 1 - lid];
}
