// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=local:int[16] --arg=int[8]=0
kernel void k(local int *t, global int *o)
{
    local int *a = t, *b = t + 7;
    int l = get_local_id(0);
    a[l] = l; // EXPECT data-race 't'
    b[l] = -l; // OTHER data-race
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = a[7 - l] + b[7 - l];
}
