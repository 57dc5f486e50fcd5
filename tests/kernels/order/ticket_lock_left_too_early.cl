// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[1]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// The next one is let in before the last write.
kernel void k(global atomic_int *next, global atomic_int *serving, global int *shared)
{
    if (get_local_id(0) == 0) {
        const int mine = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
        while (atomic_load_explicit(serving, memory_order_acquire, memory_scope_device) != mine) {}
        shared[0] += 1;
        atomic_store_explicit(serving, mine + 1, memory_order_release, memory_scope_device);
        shared[1] += 1; // EXPECT data-race 'shared'
    }
}
