// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=1 --arg=int[4]=undef
// DUMP 1: [16] * 4
kernel void k(global const int *a, global int *sums)
{
    local int t[16];
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    for (int s = 8; s; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) t[l] += t[l + s];
    }
    if (l == 0) sums[get_group_id(0)] = t[0];
}
