// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=image:uint[32,1]=0 --arg=int[32]=0 --arg=int[1]=0 --arg=int[32]=0 --build-options=-cl-std=CL2.0
// DUMP 0: None
// DUMP 3: None
// A barrier of images orders what lies in images, and not what lies in a buffer, also where atomics order.
kernel void k(read_write image2d_t im, global int *data, global atomic_int *count, global int *out) {
    int i = get_global_id(0), next = get_group_id(0) * 16 + (get_local_id(0) + 1) % 16;
    write_imageui(im, (int2)(i, 0), (uint4)(i));
    data[i] = i; // OTHER missing-fence
    barrier(CLK_IMAGE_MEM_FENCE);
    out[i] = read_imageui(im, (int2)(next, 0)).x + data[next]; // EXPECT missing-fence 'data'
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
}
