// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0
// RUN: --global=60 --local=5 --arg=int[60]=0
// One element before a group's local array is not the last of the group before, and the other lanes write their own group's.
kernel void shift(global int *a)
{
    local int t[8];
    const int l = get_local_id(0);
    t[l - 1] = l; // EXPECT out-of-bounds 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[l]; // EXPECT uninitialized-read 't'
}
