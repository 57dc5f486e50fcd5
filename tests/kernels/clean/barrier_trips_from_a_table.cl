// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: [x + 3 + 1 + 4 + 1 + 5 for x in range(24)]
constant int trips[] = {3, 1, 4, 1, 5};
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    for (int k = 0; k < 5; k++)
        for (int j = 0; j < trips[k]; j++) {
            t[lid] = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            a[i] += t[(lid + j) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
}
