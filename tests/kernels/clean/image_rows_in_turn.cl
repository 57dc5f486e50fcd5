// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:uint[8,2]=iota --build-options=-cl-std=CL2.0
// DUMP 0: None
kernel void k(read_write image2d_t im) {
    int x = get_local_id(0);
    for (int i = 0; i < 4; i++) {
        uint v = read_imageui(im, (int2)((x + 1) % 8, i & 1)).x;
        write_imageui(im, (int2)(x, ~i & 1), (uint4)(v));
        work_group_barrier(CLK_IMAGE_MEM_FENCE);
    }
}
