// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=local:int[8]
// DUMP 0: [i if i < 8 else 0 for i in range(16)]
kernel void stage(global int *a, local int *t)
{
    int lid = get_local_id(0);
    t[lid] = a[lid];     // EXPECT out-of-bounds 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    a[lid] = t[lid];     // EXPECT out-of-bounds 't'
}
