// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[256]=iota --arg=int[256]=0 --advise
// A function with a barrier: one of its calls needs it.
// DUMP 1: None
void put(local int *t, int v)
{
    t[get_local_id(0)] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void calls(global const int *x, global int *y)
{
    local int t[16], u[16];
    int l = get_local_id(0), i = get_global_id(0);
    put(t, x[i]);
    put(u, x[i]);
    y[i] = t[l] + u[15 - l];
}
