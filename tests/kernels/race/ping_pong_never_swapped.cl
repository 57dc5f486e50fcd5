// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
kernel void k(global int *x)
{
    local int t[2][16];
    const int l = get_local_id(0);
    int now = 0;
    t[0][l] = x[l];
    for (int d = 1; d < 16; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[now][l] = t[now][l] + (l >= d ? t[now][l - d] : 0); // EXPECT data-race 't'
    }
    x[l] = t[now][l];
}
