// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Bytes of other work-groups do not count.
// DUMP 1: None
kernel void own(global const int *x, global int *y)
{
    int i = get_global_id(0);
    y[i] = x[i];
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT needless-barrier
    y[64 + i] = y[i];
}
