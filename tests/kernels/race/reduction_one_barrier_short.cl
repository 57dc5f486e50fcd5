// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=iota
// A loop that reads and writes with one barrier where it needs two.
kernel void scan(global int *a)
{
    local int t[64];
    int lid = get_local_id(0);
    t[lid] = a[lid];
    for (int d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = lid >= d ? t[lid - d] : 0; // OTHER data-race
        t[lid] += x;                       // EXPECT data-race 't'
    }
    a[lid] = t[lid];
}
