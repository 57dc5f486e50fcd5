// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --arg=int[32]=0 --build-options=-cl-std=CL2.0
// The flag is looked at without an atomic.
kernel void look(global int *table, volatile global int *ready, global atomic_int *lock, global int *out)
{
    int gid = get_global_id(0);
    while (!ready[0]) { // OTHER data-race
        if (!atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {
            if (!ready[0]) { // OTHER data-race
                for (int i = 0; i < 4; i++)
                    table[i] = 10 * i + 1; // EXPECT data-race 'table'
                ready[0] = 1; // EXPECT data-race 'ready'
            }
            atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
        }
    }
    out[gid] = table[gid % 4]; // OTHER data-race
}
