// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=1 --arg=image:uint[1,1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 0: None
kernel void k(read_write image2d_t im, global atomic_int *lock) {
    int zero = 0;
    while (!atomic_compare_exchange_strong_explicit(lock, &zero, 1, memory_order_relaxed, memory_order_relaxed, memory_scope_device)) zero = 0;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    uint v = read_imageui(im, (int2)(0, 0)).x; // OTHER data-race
    write_imageui(im, (int2)(0, 0), (uint4)(v + 1)); // EXPECT data-race 'im'
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
}
