// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
int sync(int l) { barrier(CLK_LOCAL_MEM_FENCE); return l; } // EXPECT barrier-divergence
kernel void k(global int *a) {
    int l = get_local_id(0);
    if (l > 2 && sync(l) > 3) a[l] = 1; // OTHER barrier-divergence
}
