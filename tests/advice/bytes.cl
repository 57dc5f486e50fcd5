// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Different bytes of a word do not conflict.
// DUMP 1: None
kernel void bytes(global const int *x, global int *y)
{
    local uchar t[16];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT needless-barrier
    t[l] += 1;
    y[i] = t[l];
}
