// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[2]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// A flag handed over with fences of images alone says nothing of what lies in a buffer.
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        data[0] = 1; // OTHER data-race
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else if (get_global_id(0) == 8) {
        while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)) {}
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acquire, memory_scope_device);
        out[0] = data[0]; // EXPECT data-race 'data'
    }
}
