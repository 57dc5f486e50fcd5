// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --arg=int[32]=0 --build-options=-cl-std=CL2.0
// DUMP 3: [10 * (i % 4) + 1 for i in range(32)]
// The first work-item makes the table; one that sees the flag set need not take the lock.
kernel void look(global int *table, global atomic_int *ready, global atomic_int *lock, global int *out)
{
    int gid = get_global_id(0);
    while (!atomic_load_explicit(ready, memory_order_acquire, memory_scope_device)) {
        if (!atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {
            if (!atomic_load_explicit(ready, memory_order_relaxed, memory_scope_device)) {
                for (int i = 0; i < 4; i++)
                    table[i] = 10 * i + 1;
                atomic_store_explicit(ready, 1, memory_order_release, memory_scope_device);
            }
            atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
        }
    }
    out[gid] = table[gid % 4];
}
