// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=2 --local=1 --arg=int[3]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// RUN: --schedules=64 --global=2 --local=2 --arg=int[3]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// A work-item sees its own stores, and its stores of one location stay in order.
// DUMP 1: [0, 0]
kernel void k(global atomic_int *flags, global int *out)
{
    const int me = get_global_id(0);
    atomic_store_explicit(&flags[me], 1, memory_order_relaxed, memory_scope_device);
    if (atomic_load_explicit(&flags[me], memory_order_relaxed, memory_scope_device) != 1) out[2] = 1;
    atomic_store_explicit(&flags[me], 2, memory_order_release, memory_scope_device);
    if (atomic_fetch_add_explicit(&flags[me], 1, memory_order_relaxed, memory_scope_device) != 2) out[2] = 2;
    atomic_store_explicit(&flags[2], me + 1, memory_order_release, memory_scope_device);
    if (!atomic_load_explicit(&flags[2], memory_order_acquire, memory_scope_device)) out[2] = 3;
    const int seen = atomic_load_explicit(&flags[1 - me], memory_order_acquire, memory_scope_device), again = atomic_load_explicit(&flags[1 - me], memory_order_acquire, memory_scope_device);
    if (again < seen) out[2] = 4;
}
