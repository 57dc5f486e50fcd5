// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=2 --local=1 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
// The reader does not wait: in the usual order it finds nothing to read.
kernel void k(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 1) {
        data[0] = 42; // OTHER data-race
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {
        out[0] = data[0]; // EXPECT data-race 'data'
    }
}
