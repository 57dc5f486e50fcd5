// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota --arg=int[1]=0
// What runs in lockstep on one device does not on another.
kernel void k(global int *a, global int *o) {
    local volatile int t[32];
    int l = get_local_id(0);
    t[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) t[l] += t[l + 8]; // OTHER data-race
    if (l < 4) t[l] += t[l + 4]; // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) o[0] = t[0];
}
