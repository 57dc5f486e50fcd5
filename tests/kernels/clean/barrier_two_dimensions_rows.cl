// SPDX-License-Identifier: MIT
// RUN: --global=6,4 --local=3,2 --arg=int[24]=iota
// RUN: --global=6,4 --local=6,1 --arg=int[24]=iota
// DUMP 0: [i + 1 for i in range(24)]
kernel void k(global int *a)
{
    int i = get_global_id(1) * 6 + get_global_id(0);
    if (get_global_id(1) / get_local_size(1) % 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    a[i]++;
}
