// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// A scan between two buffers: one barrier for each step is needed.
// DUMP 1: None
kernel void scan(global const int *x, global int *y)
{
    local int t[2][16];
    int l = get_local_id(0), from = 0;
    t[0][l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 16; s *= 2) {
        t[!from][l] = t[from][l] + (l >= s ? t[from][l - s] : 0);
        from = !from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[get_global_id(0)] = t[from][15 - l];
}
