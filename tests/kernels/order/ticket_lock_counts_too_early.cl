// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// The next one is served before the work is done.
kernel void add(global int *sum, global atomic_int *next, global atomic_int *serving)
{
    int mine = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
    bool done = false;
    while (!done) {
        if (atomic_load_explicit(serving, memory_order_acquire, memory_scope_device) == mine) {
            atomic_store_explicit(serving, mine + 1, memory_order_release, memory_scope_device);
            sum[0] += get_global_id(0); // EXPECT data-race 'sum'
            done = true;
        }
    }
}
