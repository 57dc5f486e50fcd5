// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// The second barrier is needed only by the writes of the next iteration.
// DUMP 1: None
kernel void tiles(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0), sum = 0;
    for (int k = 0; k < 4; k++) {
        t[l] = x[k * 16 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++) sum += t[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[get_global_id(0)] = sum;
}
