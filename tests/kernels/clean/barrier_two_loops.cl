// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: [(i + 12) % 16 for i in range(16)]
kernel void spin(global int *a)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = a[lid];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 4; j++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int x = t[(lid + 1) % 16];
            barrier(CLK_LOCAL_MEM_FENCE);
            t[lid] = x;
        }
    a[lid] = t[lid];
}
