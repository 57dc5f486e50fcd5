// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --arg=int[64]=iota
// The halves are swapped, but the old half is written again while others still read it.
kernel void smooth(global int *a)
{
    local int t[2][32];
    int lid = get_local_id(0), now = 0;
    t[0][lid] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) {
        t[1 - now][lid] = t[now][(lid + 1) % 32]; // EXPECT data-race 't'
        if (k % 2)
            barrier(CLK_LOCAL_MEM_FENCE);
        now = 1 - now;
    }
    a[get_global_id(0)] = t[now][lid];
}
