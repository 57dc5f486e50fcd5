// SPDX-License-Identifier: MIT
// DUMP 0: [sum(range(i + 1)) for i in range(16)]
// RUN: --global=16 --local=16 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int x[16];
    int l = get_local_id(0);
    x[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 16; s *= 2) {
        int v = l >= s ? x[l - s] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        x[l] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[l] = x[l];
}
