// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int n;
    atomic_inc(&n);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = n; // EXPECT uninitialized-read 'n'
}
