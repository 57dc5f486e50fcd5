// SPDX-License-Identifier: MIT
// Pixels that the kernel itself writes first, all but one of a row, and what it reads of them.
// RUN: --global=8 --local=8 --arg=image:uint4[8,1]=undef --arg=uint[8]=0 --arg=int=8 --build-options=-cl-std=CL2.0
// DUMP 1: [3 * i for i in range(8)]
kernel void k(read_write image2d_t im, global uint *out, int n)
{
    const int x = get_global_id(0);
    if (x < n) write_imageui(im, (int2)(x, 0), (uint4)(3 * x));
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[x] = read_imageui(im, (int2)(x, 0)).x;
}
