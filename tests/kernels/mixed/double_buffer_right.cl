// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=1
// DUMP 0: [i + 1 for i in range(16)]
kernel void k(global int *x)
{
    local int t[2][16];
    int l = get_local_id(0), at = 0;
    t[0][l] = x[l];
    for (int d = 1; d < 16; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[!at][l] = t[at][l] + (l >= d ? t[at][l - d] : 0);
        at = !at;
    }
    x[l] = t[at][l];
}
