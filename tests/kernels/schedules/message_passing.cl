// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=2 --local=1 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=7 --build-options=-cl-std=CL2.0
// RUN: --schedules=64 --global=2 --local=2 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=7 --build-options=-cl-std=CL2.0
// RUN: --schedule=12345 --global=2 --local=1 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=7 --build-options=-cl-std=CL2.0
// DUMP 0: [42]
// DUMP 1: [1]
kernel void k(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 1) {
        data[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {
        out[0] = data[0];
    }
}
