// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=8 --local=4 --arg=int[4]=0 --arg=int[1]=0 --arg=int[4]=0 --arg=int[4]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
// A producer takes a slot and fills it. The first group's work-items look once at their slot.
kernel void k(global int *queue, global atomic_int *tail, global atomic_int *full, global int *out)
{
    const int i = get_local_id(0);
    if (get_group_id(0) == 1) {
        const int slot = atomic_fetch_add_explicit(tail, 1, memory_order_acq_rel, memory_scope_device);
        queue[slot] = i; // OTHER data-race
        atomic_store_explicit(&full[slot], 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(tail, memory_order_acquire, memory_scope_device) > i) {
        out[i] = queue[i]; // EXPECT data-race 'queue'
    }
}
