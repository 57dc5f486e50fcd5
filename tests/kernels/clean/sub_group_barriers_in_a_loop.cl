// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]
kernel void k(global int *o) {
    local int t[16];
    int l = get_local_id(0);
    for (int round = 0; round < 3; round++) {
        t[l] = l;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        o[l] = t[l ^ 7];
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
}
