// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:uint4[8,1]=undef --arg=uint[8]=0 --arg=int=7 --build-options=-cl-std=CL2.0
// SAYS: by work-item local (7,0,0)
// SAYS: never written at pixel (7, 0)
kernel void k(read_write image2d_t im, global uint *out, int n)
{
    const int x = get_global_id(0);
    if (x < n) write_imageui(im, (int2)(x, 0), (uint4)(3 * x));
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[x] = read_imageui(im, (int2)(x, 0)).x; // EXPECT uninitialized-read 'im'
}
