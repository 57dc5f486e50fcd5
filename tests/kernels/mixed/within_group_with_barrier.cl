// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[9]=iota
// DUMP 0: [1, 2, 3, 4, 5, 6, 7, 8, 8]
kernel void k(global int *x)
{
    int i = get_global_id(0), next = x[i + 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[i] = next;
}
