// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *a) {
    local int t[8];
    int l = get_local_id(0);
    t[l] = l;
    switch (l & 3) { // OTHER barrier-divergence
    case 0: barrier(CLK_LOCAL_MEM_FENCE); break; // EXPECT barrier-divergence
    case 1: barrier(CLK_LOCAL_MEM_FENCE); break; // OTHER barrier-divergence
    default: barrier(CLK_LOCAL_MEM_FENCE); // OTHER barrier-divergence
    }
    a[l] = t[l];
}
