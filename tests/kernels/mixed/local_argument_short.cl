// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=local:int[15] --arg=int[16]=0
kernel void k(local int *t, global int *o)
{
    int l = get_local_id(0);
    t[l] = l; // EXPECT out-of-bounds 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = l ? t[l - 1] : 0;
}
