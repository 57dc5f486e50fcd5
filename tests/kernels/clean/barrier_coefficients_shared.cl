// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: [sum((2 * k + 1) * x ** k for k in range(4)) for x in range(N)]
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    for (int k = lid; k < 4; k += n)
        t[k] = 2 * k + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = a[i], p = 0;
    for (int k = 3; k >= 0; k--)
        p = p * x + t[k];
    a[i] = p;
}
