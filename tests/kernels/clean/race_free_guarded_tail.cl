// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[50]=iota --arg=int=50
// DUMP 0: [(i // 16 * 16 + 15 - i % 16 if i < 48 else 97 - i) for i in range(50)]
// The last group has two work-items with anything to do.
kernel void reverse(global int *a, int n)
{
    local int t[16];
    int lid = get_local_id(0), gid = get_global_id(0), left = min(16, n - (int)(gid - lid));
    if (gid < n)
        t[lid] = a[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gid < n)
        a[gid] = t[left - 1 - lid];
}
