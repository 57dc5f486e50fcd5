// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota
// RUN: --global=60 --local=5 --arg=int[60]=iota
// One element past the end of a group's local array is not the next group's first.
kernel void shift(global int *a)
{
    local int t[8];
    const int l = get_local_id(0), i = get_global_id(0);
    t[l] = 100 + i;
    if (get_local_size(0) < 8 && l < 3) t[5 + l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int k = get_group_id(0) % 3 == 1 ? l + 1 : l;
    a[i] = t[get_local_size(0) < 8 && k == l + 1 ? k + 3 : k]; // EXPECT out-of-bounds 't'
}
