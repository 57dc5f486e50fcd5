// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0
// DUMP 0: [1] * 16
kernel void k(global int *o)
{
    if (get_group_id(0) == 1) barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < (int)get_group_id(0) + 2; i++) barrier(CLK_GLOBAL_MEM_FENCE);
    o[get_global_id(0)] = 1;
}
