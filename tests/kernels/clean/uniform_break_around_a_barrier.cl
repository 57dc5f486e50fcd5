// SPDX-License-Identifier: MIT
// RUN: --kernel=find --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
// DUMP 1: [2] * 8
// All leave in the same round, since all read the same place.
kernel void find(global const int *a, global int *o)
{
    local int t[8];
    int l = get_local_id(0), k;
    for (k = 0; k < 4; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = a[l] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t[3] == 5) break;
    }
    o[l] = k;
}
