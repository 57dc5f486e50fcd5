// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=64 --arg=int[256]=iota --arg=int[4]=0 --arg=local:int[64]
// DUMP 1: [sum(range(64 * g, 64 * g + 64)) for g in range(4)]
kernel void reduce(global const int *a, global int *sums, local int *tmp)
{
    int lid = get_local_id(0);
    tmp[lid] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s)
            tmp[lid] += tmp[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        sums[get_group_id(0)] = tmp[0];
}
