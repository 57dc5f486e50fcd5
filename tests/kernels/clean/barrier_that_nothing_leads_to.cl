// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[8]=iota --arg=int=0
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=0
// DUMP 0: [i + 1 for i in range(8)]
kernel void k(global int *a, int n)
{
    int i = get_global_id(0);
    a[i]++;
    if (n)
        for (;;)
            barrier(CLK_LOCAL_MEM_FENCE);
    return;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = -1;
}
