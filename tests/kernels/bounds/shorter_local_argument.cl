// SPDX-License-Identifier: MIT
// RUN: --kernel=loc --global=16 --local=16 --arg=local:int[16] --arg=int[16]=0
// Room for one element more than there are work-items is needed.
kernel void loc(local int *t, global int *o)
{
    int l = get_local_id(0);
    t[l + 1] = l; // EXPECT out-of-bounds 't'
    if (l == 0) t[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[l];
}
