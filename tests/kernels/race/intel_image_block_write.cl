// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=image:uchar4[16,4]=0 --arg=image:uchar4[16,4]=0
// SAYS: pixel (4, 1)
// Two sub-groups write rows that overlap by half; in the other image, they write different rows.
kernel void k(write_only image2d_t m, write_only image2d_t n)
{
    const uint i = get_global_id(0), g = get_sub_group_id();
    intel_sub_group_block_write(m, (int2)(16 * g, 1), i); // EXPECT data-race 'm'
    intel_sub_group_block_write2(n, (int2)(0, 2 * g), (uint2)i);
}
