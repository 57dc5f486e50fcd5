// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
kernel void count(global int *n, global atomic_int *lock)
{
    bool done = false;
    while (!done) {
        int free = 0;
        if (atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) {
            n[0] = n[0] + 1; // EXPECT data-race 'n'
            atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
            done = true;
        }
    }
}
