// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
int sync_and(local int *t, int l) { barrier(CLK_LOCAL_MEM_FENCE); return t[7 - l]; } // EXPECT barrier-divergence
kernel void k(global int *a) {
    local int t[8];
    int l = get_local_id(0);
    t[l] = l;
    a[l] = l < 4 ? sync_and(t, l) : 0; // OTHER barrier-divergence
}
