// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=image:uint[2,1]=0 --arg=int[2]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 0: None
// Fences of images alone hand the image over with the flag, and not what lies in a buffer.
kernel void k(read_write image2d_t im, global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        data[0] = 1; // OTHER data-race
        write_imageui(im, (int2)(0, 0), (uint4)(5));
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else if (get_global_id(0) == 8) {
        while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)) {}
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acquire, memory_scope_device);
        out[0] = data[0]; // EXPECT data-race 'data'
        write_imageui(im, (int2)(1, 0), read_imageui(im, (int2)(0, 0)));
    }
}
