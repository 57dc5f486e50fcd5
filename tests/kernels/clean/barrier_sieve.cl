// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [int(2 <= j and all(j % d for d in range(2, j))) for j in range(len(g))])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = lid > 1;
    for (int p = 2; p * p < n; p++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t[p] && lid > p && lid % p == 0)
            t[lid] = 0;
    }
    a[i] = t[lid];
}
