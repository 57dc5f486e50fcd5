// SPDX-License-Identifier: MIT
// RUN: --kernel=pick --global=4 --local=4 --arg=int[4]=0
int a(local int *t) { barrier(CLK_LOCAL_MEM_FENCE); return 1; } // EXPECT barrier-divergence
int b(local int *t) { barrier(CLK_LOCAL_MEM_FENCE); return 2; } // OTHER barrier-divergence
kernel void pick(global int *o)
{
    local int t[4];
    int l = get_local_id(0);
    o[l] = l < 3 ? a(t) : b(t);
}
