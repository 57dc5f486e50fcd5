// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *a) {
    int l = get_local_id(0);
    for (int i = 0; i < 4; i++) {
        if (i == 2 && l == 5) break; // OTHER barrier-divergence
        barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[l] = l;
}
