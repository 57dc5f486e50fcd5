// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[65]=iota
// DUMP 0: [i + 1 if i < 64 else 64 for i in range(65)]
kernel void shift(global int *a)
{
    int gid = get_global_id(0);
    int x = a[gid + 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[gid] = x;
}
