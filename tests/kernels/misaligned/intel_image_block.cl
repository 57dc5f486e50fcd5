// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=image:uchar4[16,4]=1 --arg=image:uchar4[16,4]=0 --arg=image:float4[8,4]=0 --arg=uint[8]=0
// SAYS: whose pixels have more than 4 bytes
// SAYS: the x of a block write is in bytes and must be a multiple of 4
// Blocks are read from any byte and written from a multiple of 4; pixels have at most 4 bytes.
kernel void k(read_only image2d_t in, write_only image2d_t out, read_only image2d_t large, global uint *a)
{
    const uint i = get_global_id(0);
    const uint x = intel_sub_group_block_read(in, (int2)(3, 0)) + intel_sub_group_block_read_uc(in, (int2)(5, 1));
    a[i] = x + intel_sub_group_block_read(large, (int2)(0, 0)); // EXPECT misaligned-access 'large'
    intel_sub_group_block_write_uc(out, (int2)(4, 0), (uchar)x);
    intel_sub_group_block_write_uc(out, (int2)(2, 1), (uchar)x); // EXPECT misaligned-access 'out'
}
