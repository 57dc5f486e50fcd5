// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=4 --arg=int[24]=iota
// RUN: --global=24 --local=6 --arg=int[24]=iota
// RUN: --global=24 --local=12 --arg=int[24]=iota
// DUMP 0: [i + (0 if i < 12 else 1) for i in range(24)]
kernel void k(global int *a)
{
    int i = get_global_id(0);
    if (i < 12)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i]++;
}
