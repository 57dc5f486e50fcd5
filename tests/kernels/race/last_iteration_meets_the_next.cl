// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota
// The barrier orders store and load of one iteration, but not the load and the next iteration's store.
kernel void rounds(global int *a)
{
    local int t[32];
    int lid = get_local_id(0), s = a[lid];
    for (int k = 0; k < 3; k++) {
        t[lid] = s; // EXPECT data-race 't'
        barrier(CLK_LOCAL_MEM_FENCE);
        s += t[lid ^ 1];
    }
    a[lid] = s;
}
