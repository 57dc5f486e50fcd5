// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota
// DUMP 0: [16 * (i // 16) + i % 16 + 1 if i % 16 < 15 else 0 for i in range(32)]
kernel void next(global int *a)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[lid + 1]; // EXPECT out-of-bounds 't'
}
