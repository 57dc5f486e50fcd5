// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: an acquire at an atomic that reads its value
kernel void pass(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 0) {
        data[0] = 42; // EXPECT data-race 'data'
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    }
    if (get_global_id(0) == 16) {
        while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device))
            ;
        out[0] = data[0]; // OTHER data-race
    }
}
