// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [10] * 16
kernel void k(global int *a)
{
    local int n, t[4];
    if (get_local_id(0) == 0) {
        n = 0;
        for (int i = 0; i < 4; i++) t[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&n);
    atomic_add(&t[get_local_id(0) & 3], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = n + t[get_local_id(0) & 3];
}
