// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=local:int[8] --arg=int[16]=iota --arg=local:char[8]
// DUMP 1: [8 * (i // 8) + (i + 3) % 8 + (i + 5) % 8 for i in range(16)]
kernel void args(local int *t, global int *a, local char *c)
{
    int lid = get_local_id(0), gid = get_global_id(0);
    t[lid] = a[gid];
    c[lid] = (char)lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[gid] = t[(lid + 3) % 8] + c[(lid + 5) % 8];
}
