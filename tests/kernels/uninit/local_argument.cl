// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=local:int[8]
kernel void k(global int *a, local int *t)
{
    int l = get_local_id(0);
    if (l < 4) t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l]; // EXPECT uninitialized-read 't'
}
