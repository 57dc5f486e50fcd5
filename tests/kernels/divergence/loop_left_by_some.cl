// SPDX-License-Identifier: MIT
// RUN: --kernel=find --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
kernel void find(global const int *a, global int *o)
{
    local int t[8];
    int l = get_local_id(0);
    for (int k = 0; k < 4; k++) {
        t[l] = a[l] + k;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        if (t[l] == 5) break;
    }
    o[l] = l;
}
