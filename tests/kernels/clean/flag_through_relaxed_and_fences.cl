// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[8]=0 --arg=int[1]=0 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// DUMP 2: [(7 - i) ** 2 for i in range(8)]
// Relaxed atomics, with a release fence before the store and an acquire fence after the load.
kernel void k(global int *data, global atomic_int *flag, global int *out)
{
    const int l = get_local_id(0);
    if (get_group_id(0) == 0) {
        data[l] = l * l;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 0) {
            atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
            atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
        }
    } else {
        if (l == 0) {
            while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)) {}
            atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
        }
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[l] = data[7 - l];
    }
}
