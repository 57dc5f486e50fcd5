// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [sum(g)] * len(g))
kernel void k(global int *a)
{
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i - lid + k];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = sum;
}
