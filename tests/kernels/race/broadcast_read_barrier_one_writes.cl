// SPDX-License-Identifier: MIT
// DUMP 1: [3] * 16
// RUN: --global=16 --local=16 --arg=int[8]=iota --arg=int[16]=0
kernel void k(global int *a, global int *o)
{
    o[get_global_id(0)] = a[3];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 5) a[3] = 7;
}
