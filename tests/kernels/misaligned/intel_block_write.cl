// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=uint[16]=iota --arg=uint[16]=0 --arg=ushort[16]=0
// DUMP 1: None
// Blocks of uint are read at any uint and those of ushort at 4 bytes; blocks are written at 16 bytes.
kernel void k(global const uint *a, global uint *b, global const ushort *s)
{
    uint x = intel_sub_group_block_read(a + 1);
    x += intel_sub_group_block_read_us(s + 2);
    x += intel_sub_group_block_read_us(s + 3); // EXPECT misaligned-access 's'
    intel_sub_group_block_write(b + 4, x);
    barrier(CLK_GLOBAL_MEM_FENCE);
    intel_sub_group_block_write(b + 2, x); // EXPECT misaligned-access 'b'
}
