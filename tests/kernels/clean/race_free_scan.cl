// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --arg=int[64]=1
// DUMP 0: [i % 32 + 1 for i in range(64)]
kernel void scan(global int *a)
{
    local int t[32];
    int lid = get_local_id(0);
    t[lid] = 1;
    for (int d = 1; d < 32; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = lid >= d ? t[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] += x;
    }
    a[get_global_id(0)] = t[lid];
}
