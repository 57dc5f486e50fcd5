// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --sub-group-size=8 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL3.0
// RUN: --schedule=7 --global=32 --local=16 --sub-group-size=8 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL3.0
// DUMP 1: [32]
// A function of the active work-items, called by the holder of a lock that the rest of its sub-group spins for: no other work-item can come.
kernel void k(global atomic_int *lock, global int *out)
{
    int zero = 0;
    while (!atomic_compare_exchange_strong_explicit(lock, &zero, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) zero = 0;
    if (sub_group_elect()) out[0] += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
