// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=iota --arg=int[1]=0
// The last steps trust that 32 work-items run in step, as old GPU code does.
kernel void k(global const int *x, global int *sum)
{
    volatile local int t[64];
    const int l = get_local_id(0);
    t[l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32)
        for (int s = 32; s; s >>= 1) t[l] += t[l + s]; // EXPECT data-race 't'
    if (l == 0) sum[0] = t[0];
}
