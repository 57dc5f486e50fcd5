// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    o[get_global_id(0)] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (o[3 - get_global_id(0)] == 1) __builtin_unreachable(); // EXPECT unreachable
}
