// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=4 --sub-group-size=8 --arg=uint[12]=iota --arg=uint[12]=0
// DUMP 1: list(range(12))
// In a small work-group, the maximum sub-group size is that of the work-group.
kernel void k(global const uint *a, global uint *out)
{
    out[get_global_id(0)] = intel_sub_group_block_read(a + get_group_id(0) * 4);
}
