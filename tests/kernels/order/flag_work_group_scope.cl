// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[2]=0 --arg=int[2]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// The flag's scope holds the own work-group only.
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    if (get_local_id(0)) return;
    if (get_group_id(0) == 0) {
        data[0] = 42; // EXPECT data-race 'data'
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group); // EXPECT data-race 'flag'
    } else {
        while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group)) {} // OTHER data-race
        out[0] = data[0]; // OTHER data-race
    }
}
