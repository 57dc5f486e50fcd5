// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// The exchange that sees the flag fails, and has the order of failure only: it does not acquire.
kernel void k(global atomic_int *flag, global int *data)
{
    int e = 9;
    if (get_global_id(0) == 40) {
        data[0] = 1; // OTHER data-race
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (get_global_id(0) == 1) {
        do e = 9;
        while (atomic_compare_exchange_strong_explicit(flag, &e, 7, memory_order_acquire, memory_order_relaxed, memory_scope_device) || !e);
        data[0] -= 1; // EXPECT data-race 'data'
    }
}
