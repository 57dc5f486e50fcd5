// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=2 --local=1 --arg=int[2]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// RUN: --schedules=16 --global=2 --local=2 --arg=int[2]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
// SAYS: was seen late
kernel void k(global atomic_int *flags, global int *out)
{
    if (get_global_id(0) == 0) {
        atomic_store_explicit(&flags[0], 1, memory_order_relaxed, memory_scope_device);
        atomic_store_explicit(&flags[1], 1, memory_order_relaxed, memory_scope_device);
    } else {
        const int second = atomic_load_explicit(&flags[1], memory_order_acquire, memory_scope_device), first = atomic_load_explicit(&flags[0], memory_order_acquire, memory_scope_device);
        if (second && !first) out[2] = 1; // EXPECT out-of-bounds
    }
}
