// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --sub-group-size=8 --arg=int[8]=0 --arg=int[1]=0 --arg=int[8]=0 --build-options=-cl-std=CL3.0
// Without a scope the barrier fences for its sub-group only: the flag hands nothing over to another group.
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    int l = get_local_id(0);
    if (l >= 8) return;
    if (get_group_id(0) == 0) {
        data[l] = l; // OTHER data-race
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 0) atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        if (l == 0) while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)) {}
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[l] = data[7 - l]; // EXPECT data-race
    }
}
