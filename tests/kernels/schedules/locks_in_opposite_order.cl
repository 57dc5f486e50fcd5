// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=2 --local=1 --arg=int[2]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
kernel void k(global atomic_int *lock, global int *count)
{
    const int me = get_global_id(0);
    while (atomic_exchange_explicit(&lock[me], 1, memory_order_acquire, memory_scope_device)) {}
    while (atomic_exchange_explicit(&lock[1 - me], 1, memory_order_acquire, memory_scope_device)) {} // EXPECT no-progress
    count[0] += 1;
    atomic_store_explicit(&lock[1 - me], 0, memory_order_release, memory_scope_device);
    atomic_store_explicit(&lock[me], 0, memory_order_release, memory_scope_device);
}
