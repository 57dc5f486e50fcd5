// SPDX-License-Identifier: MIT
// A part of the last group stays away.
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=20
kernel void k(global int *a, int n)
{
    local int t[8];
    int i = get_global_id(0), l = get_local_id(0);
    if (i >= n) return;
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    a[i] = t[l];
}
