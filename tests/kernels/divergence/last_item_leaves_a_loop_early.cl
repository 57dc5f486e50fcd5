// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,2
kernel void k(global int *x) {
    local int sum;
    int l = get_local_id(0);
    for (int i = 0; i < 4; i++) {
        if (i == x[l]) break;
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    x[l] = l;
}
