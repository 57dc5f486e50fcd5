// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=3 --local=1 --arg=int[1]=0 --arg=int[1]=0 --arg=int[3]=0 --build-options=-cl-std=CL2.0
// RUN: --schedules=64 --global=3 --local=3 --arg=int[1]=0 --arg=int[1]=0 --arg=int[3]=0 --build-options=-cl-std=CL2.0
// A reader of 1 has acquired the release that stored it, even if the relaxed store of 2 has run.
// DUMP 1: [42]
kernel void k(global atomic_int *flag, global int *data, global int *out)
{
    const int me = get_global_id(0);
    if (me == 0) {
        data[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (me == 1) {
        atomic_store_explicit(flag, 2, memory_order_relaxed, memory_scope_device);
        out[1] = atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) {
        out[2] = data[0];
    }
}
