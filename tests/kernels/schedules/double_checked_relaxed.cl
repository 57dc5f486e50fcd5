// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=8 --local=8 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
// In the usual order no work-item sees at its first look that another one has made the table.
kernel void k(global int *table, global atomic_int *ready, global atomic_int *lock, global int *out)
{
    if (!atomic_load_explicit(ready, memory_order_relaxed, memory_scope_device)) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {}
        if (!atomic_load_explicit(ready, memory_order_relaxed, memory_scope_device)) {
            table[0] = 5; // OTHER data-race
            atomic_store_explicit(ready, 1, memory_order_release, memory_scope_device);
        }
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    }
    out[get_global_id(0)] = table[0]; // EXPECT data-race 'table'
}
