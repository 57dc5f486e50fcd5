// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int[1]=3
// DUMP 0: [8 * (i // 8) + (i % 8 + 3) % 8 for i in range(16)]
// The trip count comes from memory, the same for all.
kernel void rotate_n(global int *a, global const int *n)
{
    local int t[2][8];
    int lid = get_local_id(0), gid = get_global_id(0);
    t[0][lid] = a[gid];
    int k = 0;
    for (; k < *n; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[(k + 1) % 2][lid] = t[k % 2][(lid + 1) % 8];
    }
    a[gid] = t[k % 2][lid];
}
