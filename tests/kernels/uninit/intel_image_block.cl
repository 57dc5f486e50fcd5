// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=image:uchar4[8,2]=undef --arg=image:uchar4[8,2]=3 --arg=uint[16]=0
kernel void k(read_only image2d_t m, read_only image2d_t n, global uint *a)
{
    a[get_global_id(0)] = intel_sub_group_block_read(n, (int2)(8, 0));
    a[8 + get_global_id(0)] = intel_sub_group_block_read(m, (int2)(8, 0)); // EXPECT uninitialized-read
}
