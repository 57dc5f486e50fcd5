// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [100 + i for i in range(8)]
kernel void two(global int *a)
{
    local int t[8], u[8];
    int lid = get_local_id(0);
    u[lid] = 100 + lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[lid + 8] = 1;      // EXPECT out-of-bounds 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    a[lid] = u[lid];
    t[lid] = 0;
}
