// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=8 --local=8 --sub-group-size=8 --arg=image:uchar4[8,2]=0 --arg=uint[8]=0
kernel void k(read_write image2d_t m, global uint *a)
{
    const uint i = get_global_id(0);
    intel_sub_group_block_write(m, (int2)(0, 0), i);
    a[i] = intel_sub_group_block_read(m, (int2)(0, 0)); // EXPECT missing-fence 'm'
}
