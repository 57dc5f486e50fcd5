// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota --arg=int[64]=0
// RUN: --global=48 --local=16 --arg=int[48]=iota --arg=int[48]=0
// A local race in one group of several that run together, at its own place of the object; the others keep their barriers' order.
kernel void neighbors(global int *a, global int *o)
{
    local int t[16], u[16];
    const int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    u[l] = t[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[l] + u[l]; // OTHER data-race
    if (get_group_id(0) == 2 && l == 3) t[4] = 5; // EXPECT data-race 't'
}
