// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [sum(range(32))]
kernel void add(global int *sum, global atomic_int *next, global atomic_int *serving)
{
    int mine = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
    bool done = false;
    while (!done) {
        if (atomic_load_explicit(serving, memory_order_acquire, memory_scope_device) == mine) {
            sum[0] += get_global_id(0);
            atomic_store_explicit(serving, mine + 1, memory_order_release, memory_scope_device);
            done = true;
        }
    }
}
