// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota
// DUMP 0: [i if i // 8 % 2 else 8 * (i // 8) + (i + 1) % 8 for i in range(32)]
// Whole groups take the branch or none of their work-items does.
kernel void rotate_even_groups(global int *a)
{
    local int t[8];
    int lid = get_local_id(0), gid = get_global_id(0);
    if (get_group_id(0) % 2 == 0) {
        t[lid] = a[gid];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[gid] = t[(lid + 1) % 8];
    }
}
