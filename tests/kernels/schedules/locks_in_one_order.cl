// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=8 --local=2 --arg=int[2]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [8]
kernel void k(global atomic_int *lock, global int *count)
{
    while (atomic_exchange_explicit(&lock[0], 1, memory_order_acquire, memory_scope_device)) {}
    while (atomic_exchange_explicit(&lock[1], 1, memory_order_acquire, memory_scope_device)) {}
    count[0] += 1;
    atomic_store_explicit(&lock[1], 0, memory_order_release, memory_scope_device);
    atomic_store_explicit(&lock[0], 0, memory_order_release, memory_scope_device);
}
