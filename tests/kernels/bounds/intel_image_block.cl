// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=image:uchar[32,4]=1 --arg=image:ushort2[8,4]=2 --arg=image:ushort[8,4]=0 --arg=uint[8]=0
// SAYS: read of pixel (32, 0)
// SAYS: write of pixel (0, 4)
// Pixels of 4 bytes have an edge, smaller ones are reported.
kernel void k(read_only image2d_t bytes, read_only image2d_t pairs, write_only image2d_t out, global uint *a)
{
    uint x = intel_sub_group_block_read(bytes, (int2)(0, 3));
    x += intel_sub_group_block_read(bytes, (int2)(4, 0)); // EXPECT out-of-bounds 'bytes'
    x += intel_sub_group_block_read_us2(pairs, (int2)(100, 3)).y;
    a[get_global_id(0)] = x;
    intel_sub_group_block_write_us(out, (int2)(0, 3), (ushort)x);
    intel_sub_group_block_write_us2(out, (int2)(0, 3), (ushort2)x); // EXPECT out-of-bounds 'out'
}
