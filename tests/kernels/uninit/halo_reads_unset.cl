// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
kernel void k(global int *a, global int *o)
{
    local int t[10];
    int l = get_local_id(0);
    t[l + 1] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = t[l] + t[l + 2]; // EXPECT uninitialized-read 't'
}
