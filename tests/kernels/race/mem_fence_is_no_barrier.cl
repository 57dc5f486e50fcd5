// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int x[16];
    int l = get_local_id(0);
    x[l] = a[l]; // EXPECT data-race 'x'
    mem_fence(CLK_LOCAL_MEM_FENCE);
    a[l] = x[15 - l]; // OTHER data-race
}
