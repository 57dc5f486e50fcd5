// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=iota --arg=int[1]=0
// SAYS: local memory 'tmp'
kernel void reduce(global const int *a, global int *out)
{
    local int tmp[64];
    int lid = get_local_id(0);
    tmp[lid] = a[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (lid < s)
            tmp[lid] += tmp[lid + s]; // EXPECT data-race 'tmp'
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        *out = tmp[0];
}
