// SPDX-License-Identifier: MIT
// Atomics of different work-groups, with a scope that holds one: relaxed ones, and beside others of the whole device.
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: data race on global memory 'c'
// SAYS: both are atomic, but memory_scope_work_group does not include the other work-group: use memory_scope_device
// SAYS: help: Give the atomics a scope that includes all work-items
kernel void k(global atomic_int *c, global atomic_int *f, global int *d)
{
    int i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_fetch_add_explicit(c, 5, memory_order_relaxed, memory_scope_work_group); // EXPECT data-race 'c'
    if (i == 3) atomic_store_explicit(f, 1, memory_order_release, memory_scope_device); // EXPECT data-race 'f'
    if (i == 40) d[0] = atomic_load_explicit(f, memory_order_acquire, memory_scope_work_group); // OTHER data-race
}
