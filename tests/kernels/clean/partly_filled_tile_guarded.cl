// SPDX-License-Identifier: MIT
// RUN: --kernel=tail --global=32 --local=16 --arg=int[27]=iota --arg=int[32]=0 --arg=int=27
// DUMP 1: [i + (i - 1 if i % 16 else 0) if i < 27 else -1 for i in range(32)]
kernel void tail(global const int *a, global int *o, int n)
{
    local int t[16];
    int l = get_local_id(0), i = get_global_id(0);
    if (i < n) t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = i < n ? t[l] + (l ? t[l - 1] : 0) : -1;
}
