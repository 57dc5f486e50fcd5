// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --arg=int[64]=iota
// DUMP 0: [32 * (i // 32) + (i + 4) % 32 for i in range(64)]
kernel void turn(global int *a)
{
    local int t[2][32];
    int lid = get_local_id(0), now = 0;
    t[0][lid] = a[get_global_id(0)];
    for (int k = 0; k < 4; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[1 - now][lid] = t[now][(lid + 1) % 32];
        now = 1 - now;
    }
    a[get_global_id(0)] = t[now][lid];
}
