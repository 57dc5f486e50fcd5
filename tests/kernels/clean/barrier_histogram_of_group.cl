// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [sum(y % 4 == x % 4 for y in g) for x in g])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    if (lid == 0)
        for (int k = 0; k < 4; k++)
            t[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&t[a[i] % 4]);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[i % 4];
}
