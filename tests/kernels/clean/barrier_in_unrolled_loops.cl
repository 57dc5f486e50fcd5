// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=6
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=6
// RUN: --global=24 --local=8 --build-options=-cl-std=CL2.0 --arg=int[24]=iota --arg=int=6
// DUMP 0: by_group(lambda g: [g[(j + 14) % len(g)] for j in range(len(g))])
kernel void k(global int *a, int n)
{
    local int t[2][64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), x = a[i];
#pragma unroll 4
    for (int k = 0; k < n; k++) {
        t[k & 1][l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = t[k & 1][(l + 1) % s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __attribute__((opencl_unroll_hint(8)))
    for (int k = 0; k < 8; k++) {
        t[k & 1][l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = t[k & 1][(l + 1) % s];
    }
    a[i] = x;
}
