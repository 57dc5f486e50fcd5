// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[33]=iota
kernel void k(global int *x)
{
    int i = get_global_id(0), next = x[i + 1]; // OTHER data-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    x[i] = next; // EXPECT data-race 'x'
}
