// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: failed compare-exchange of 4 bytes
kernel void k(global int *a)
{
    int e = 5;
    atomic_compare_exchange_strong_explicit((global atomic_int *)a, &e, 7, memory_order_relaxed, memory_order_relaxed, memory_scope_device); // OTHER data-race
    if (get_global_id(0) == 63) a[0] = 3; // EXPECT data-race 'a'
}
