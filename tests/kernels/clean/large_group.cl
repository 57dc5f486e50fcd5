// SPDX-License-Identifier: MIT
// RUN: --global=2048 --local=1024 --arg=int[2048]=iota
// DUMP 0: [i // 1024 * 1024 + (i + 512) % 1024 for i in range(2048)]
kernel void rotate_half(global int *a)
{
    local int t[1024];
    int lid = get_local_id(0);
    t[lid] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[(lid + 512) % 1024];
}
