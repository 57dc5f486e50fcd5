// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=uint[32]=iota --arg=uint[16]=0 --arg=image:uchar4[16,4]=1
// SAYS: the pointer of this block access differs between work-items of the sub-group
// SAYS: the coordinates of this block access differ between work-items of the sub-group
// SAYS: pointer to byte 4 of global memory 'a'
// SAYS: coordinates (4, 0)
// The pointer is that of the block, not of the work-item's element. Two sub-groups may have different ones.
kernel void k(global const uint *a, global uint *out, read_only image2d_t m)
{
    const uint i = get_global_id(0), l = get_sub_group_local_id();
    uint x = intel_sub_group_block_read(a + get_sub_group_id() * 8);
    x += intel_sub_group_block_read(a + l); // EXPECT barrier-divergence
    x += intel_sub_group_block_read(m, (int2)(0, (int)get_sub_group_id()));
    x += intel_sub_group_block_read(m, (int2)(4 * l, 0)); // EXPECT barrier-divergence
    out[i] = x;
}
