// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: [i * (i + 1) // 2 for i in range(16)]
kernel void k(global int *a)
{
    local int t[2][16];
    int l = get_local_id(0), at = 0;
    t[0][l] = a[l];
    for (int s = 1; s < 16; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[!at][l] = t[at][l] + (l >= s ? t[at][l - s] : 0);
        at = !at;
    }
    a[l] = t[at][l];
}
