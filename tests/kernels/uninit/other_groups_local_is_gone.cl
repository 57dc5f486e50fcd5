// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --compute-units=1
kernel void k(global int *a)
{
    local int t[8];
    int l = get_local_id(0);
    if (get_group_id(0) == 0) t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[l]; // EXPECT uninitialized-read 't'
}
