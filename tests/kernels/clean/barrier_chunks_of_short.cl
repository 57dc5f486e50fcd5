// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=3 --arg=short[24]=iota
// RUN: --global=24 --local=8 --arg=short[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=short[23]=iota
// DUMP 0: by_group(lambda g: [(3 * sum(g))] * len(g))
kernel void k(global short *a)
{
    local short t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    short sum = 0;
    for (int c = 0; c < 3; c++) {
        t[lid] = a[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < n; k++)
            sum += t[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = sum;
}
