// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=16 --local=16 --sub-group-size=8 --arg=image:uchar[64,8]=0 --arg=uchar[512]=0 --arg=uint2[16]=0
// DUMP 1: [i if i < 16 else 0 for i in range(64)] + [(i // 2 if i % 2 == 0 else 1) if i < 32 else 0 for i in range(64)] + [(i // 4, 0, 2, 0)[i % 4] for i in range(64)] + [(100 + i // 4, 0, 0, 3)[i % 4] for i in range(64)] + [(i // 8 if i % 8 == 0 else i % 8) for i in range(64)] + [(50 + i // 8 if i % 8 == 0 else 0) for i in range(64)] + [0] * 128
// DUMP 2: [v for i in range(16) for v in (i | 2 << 16, 100 + i | 3 << 24)]
// Each width written into an image with pixels of one byte, read back as pixels and as a block.
kernel void k(read_write image2d_t m, global uchar *bytes, global uint2 *back)
{
    const uint i = get_global_id(0), g = get_sub_group_id();
    intel_sub_group_block_write_uc(m, (int2)(8 * g, 0), (uchar)i);
    intel_sub_group_block_write_us(m, (int2)(16 * g, 1), (ushort)(i | 1 << 8));
    intel_sub_group_block_write_ui2(m, (int2)(32 * g, 2), (uint2)(i | 2 << 16, (100 + i) | 3 << 24));
    if (g == 0) intel_sub_group_block_write_ul2(m, (int2)(0, 4), (ulong2)(i | 0x0706050403020100ul, 50 + i));
    barrier(CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint p = i; p < 512; p += 16) bytes[p] = read_imageui(m, (int2)(p % 64, p / 64)).x;
    back[i] = intel_sub_group_block_read2(m, (int2)(32 * g, 2));
}
