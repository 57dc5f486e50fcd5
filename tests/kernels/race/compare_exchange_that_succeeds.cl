// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[8]=iota --arg=int[64]=0 --build-options=-cl-std=CL2.0
// SAYS: atomic update of 4 bytes
kernel void k(global int *a, global int *o)
{
    int g = get_global_id(0), e = 5;
    atomic_compare_exchange_strong_explicit((global atomic_int *)a + (g & 7), &e, 7, memory_order_relaxed, memory_order_relaxed, memory_scope_device); // OTHER data-race
    o[g] = a[g & 7]; // EXPECT data-race 'a'
}
