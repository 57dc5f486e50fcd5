// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=local:int[7] --arg=int[16]=0
kernel void k(local int *t, global int *o)
{
    t[get_local_id(0)] = 1; // EXPECT out-of-bounds 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = 1;
}
