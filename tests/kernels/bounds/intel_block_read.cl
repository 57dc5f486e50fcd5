// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=uint[12]=iota --arg=uint2[8]=0
// SAYS: by work-item local (4,0,0)
kernel void k(global const uint *a, global uint2 *out)
{
    out[get_global_id(0)] = intel_sub_group_block_read2(a); // EXPECT out-of-bounds 'a'
}
