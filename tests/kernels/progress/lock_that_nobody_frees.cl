// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[1]=1 --arg=int[1]=0 --build-options=-cl-std=CL3.0
// A compare-and-exchange that only changes the work-item's own variable, and the reset of that, do not count as progress.
kernel void k(global atomic_int *lock, global int *out)
{
    int zero = 0;
    while (!atomic_compare_exchange_strong_explicit(lock, &zero, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) // EXPECT no-progress
        zero = 0;
    out[0] += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
