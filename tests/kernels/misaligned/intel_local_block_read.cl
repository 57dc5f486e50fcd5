// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=uint[8]=0
// DUMP 0: None
// Blocks of local memory begin at a multiple of 16 bytes, also those that are read.
kernel void k(global uint *a)
{
    local uint tmp[24] __attribute__((aligned(16)));
    const uint i = get_global_id(0);
    for (uint k = i; k < 24; k += 8) tmp[k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = intel_sub_group_block_read(tmp + 4);
    a[i] += intel_sub_group_block_read(tmp + 2); // EXPECT misaligned-access 'tmp'
}
