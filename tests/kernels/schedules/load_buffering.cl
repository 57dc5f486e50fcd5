// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=2 --local=1 --arg=int[1]=3 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 2: [3]
kernel void k(global int *data, global atomic_int *done, global int *out)
{
    if (get_global_id(0) == 1) {
        out[0] = data[0];
        atomic_store_explicit(done, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(done, memory_order_acquire, memory_scope_device)) {
        data[0] = 4;
    }
}
