// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[2]=0 --arg=int[2]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// The flag comes from another group, and the fence after it has work-group scope: by the memory model
// this is a race, since a scope is never widened.
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    if (get_local_id(0)) return;
    if (get_group_id(0) == 0) {
        data[0] = 42; // EXPECT data-race 'data'
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)) {}
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
        out[0] = data[0]; // OTHER data-race
    }
}
