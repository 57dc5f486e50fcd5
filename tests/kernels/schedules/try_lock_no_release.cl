// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=8 --local=8 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
// In the usual order the work-items of a group try together, and one alone has the lock.
kernel void k(global atomic_int *lock, global int *count)
{
    if (!atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {
        count[0] += 1; // EXPECT data-race 'count'
        atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
    }
}
