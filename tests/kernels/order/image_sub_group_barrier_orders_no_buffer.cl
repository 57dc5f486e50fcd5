// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --sub-group-size=8 --arg=image:uint[32,1]=0 --arg=int[32]=0 --arg=int[1]=0 --arg=int[32]=0 --build-options=-cl-std=CL3.0
// DUMP 0: None
// DUMP 1: None
// DUMP 3: None
kernel void k(read_write image2d_t im, global int *data, global atomic_int *n, global int *out) {
    int i = get_global_id(0), next = i / 8 * 8 + (i + 1) % 8;
    write_imageui(im, (int2)(i, 0), (uint4)(i));
    data[i] = i; // OTHER data-race
    sub_group_barrier(CLK_IMAGE_MEM_FENCE);
    out[i] = read_imageui(im, (int2)(next, 0)).x + data[next]; // EXPECT data-race 'data'
    atomic_fetch_add_explicit(n, 1, memory_order_relaxed, memory_scope_device);
}
