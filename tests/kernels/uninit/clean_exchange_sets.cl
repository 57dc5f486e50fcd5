// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [5] * 16
kernel void k(global int *a)
{
    local int n;
    if (get_local_id(0) == 0) atomic_xchg(&n, 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = n;
}
