// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota
// One work-item of one group reads what that group has not written; others' is.
kernel void halves(global int *a)
{
    local int t[8];
    const int l = get_local_id(0), i = get_global_id(0);
    if (i != 37) t[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[7 - l]; // EXPECT uninitialized-read 't'
}
