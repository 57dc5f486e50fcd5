// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// Between reading and writing the same array, both barriers are needed.
// DUMP 1: None
kernel void scan(global const int *x, global int *y)
{
    local int t[16];
    int l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 16; s *= 2) {
        int v = t[l] + (l >= s ? t[l - s] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[get_global_id(0)] = t[15 - l];
}
