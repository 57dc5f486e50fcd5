// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:uint[8,1]=0 --arg=uint[8]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [1, 2, 3, 4, 5, 6, 7, 0]
kernel void k(read_write image2d_t im, global uint *o) {
    int i = get_local_id(0);
    write_imageui(im, (int2)(i, 0), (uint4)(i));
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    o[i] = read_imageui(im, (int2)((i + 1) % 8, 0)).x;
}
