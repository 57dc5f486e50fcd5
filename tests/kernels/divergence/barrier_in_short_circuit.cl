// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
int meet(void) { barrier(CLK_LOCAL_MEM_FENCE); return 1; } // EXPECT barrier-divergence
kernel void k(global int *o) {
    int l = get_local_id(0);
    o[l] = l < 4 && meet(); // OTHER barrier-divergence
}
