// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=32 --arg=int[256]=iota --arg=int[8]=0
// DUMP 1: [sum(1 for i in range(256) if i * i % 8 == b) for b in range(8)]
kernel void histogram(global const int *a, global int *bins)
{
    local int mine[8];
    int lid = get_local_id(0);
    if (lid < 8)
        mine[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = a[get_global_id(0)];
    atomic_inc(&mine[x * x % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 8)
        atomic_add(&bins[lid], mine[lid]);
}
