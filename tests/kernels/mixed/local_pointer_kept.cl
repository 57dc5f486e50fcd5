// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0
// DUMP 0: [7 - i % 8 for i in range(16)]
kernel void k(global int *o) {
    local int t[8];
    local int *p = t + 8;
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = p[-1 - l];
}
