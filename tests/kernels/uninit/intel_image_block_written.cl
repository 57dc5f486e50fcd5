// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=8 --local=8 --sub-group-size=8 --arg=image:uchar4[8,2]=undef --arg=uint[16]=0
// SAYS: 8 times
// A row is written, the next one is not. The work-item that reads back what it wrote needs a fence.
kernel void k(read_write image2d_t m, global uint *a)
{
    const uint i = get_global_id(0);
    intel_sub_group_block_write(m, (int2)(0, 0), i);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    const uint2 x = intel_sub_group_block_read2(m, (int2)(0, 0));
    a[i] = x.x;
    a[8 + i] = x.y; // EXPECT uninitialized-read
}
