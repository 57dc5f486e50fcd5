// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o) {
    local int n;
    int l = get_local_id(0), s = 0;
    if (l == 0) n = 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (s < n) { // OTHER data-race
        s++;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) n = 3; // EXPECT data-race 'n'
    }
    o[l] = s;
}
