// SPDX-License-Identifier: MIT
// RUN: --global=48 --local=16 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// A store of another work-item ends the sequence.
kernel void chain(global int *data, global atomic_int *flag, global int *out)
{
    if (get_local_id(0))
        return;
    if (get_group_id(0) == 0) {
        data[0] = 7; // EXPECT data-race 'data'
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (get_group_id(0) == 1) {
        while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) != 1)
            ;
        atomic_store_explicit(flag, 2, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != 2)
            ;
        out[0] = data[0]; // OTHER data-race
    }
}
