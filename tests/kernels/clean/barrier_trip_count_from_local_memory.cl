// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=23 --local=6 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [g[(j + 2 + g[0] % 3) % len(g)] + 2 + g[0] % 3 for j in range(len(g))])
// The first work-item says how often all go round, anew in each turn of the outer loop.
kernel void k(global int *a)
{
    local int t[64], trips;
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = a[i], first = i - l;
    for (int turn = 0; turn < 2; turn++) {
        if (l == 0)
            trips = turn ? 2 : first % 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < trips; k++) {
            t[l] = x + 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = x;
}
