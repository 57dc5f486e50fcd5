// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=image:uchar4[16,4]=iota --arg=image:uchar4[16,4]=7 --arg=uint[48]=0 --arg=ushort4[16]=0 --arg=uchar2[16]=0 --arg=ulong2[16]=0
// RUN: --build-options=-cl-std=CL3.0 --global=16 --local=16 --sub-group-size=8 --arg=image:uchar4[16,4]=iota --arg=image:uchar4[16,4]=7 --arg=uint[48]=0 --arg=ushort4[16]=0 --arg=uchar2[16]=0 --arg=ulong2[16]=0
// DUMP 1: [7] * 224 + [v for i in range(8) for v in (i, 0, 0, 0)]
// DUMP 2: [int.from_bytes([(64 * r + 4 * (c + l % 8) + j) % 256 for j in range(4)], 'little') for r0, c, rows in ((None, 0, 1), (0, 1, 1), (0, 1, 1)) for l in range(16) for r in ((l // 8) if r0 is None else r0,)]
// DUMP 3: [int.from_bytes([64 * r + 2 + 2 * (l % 8) + j for j in range(2)], 'little') for l in range(16) for r in (1, 2, 3, 3)]
// DUMP 4: [192 + (l % 8 - 3 if l % 8 >= 3 else l % 8 - 3 + 4) for l in range(16) for k in range(2)]
// DUMP 5: [int.from_bytes([64 * r + 8 * (l % 8) + j for j in range(8)], 'little') for l in range(16) for r in range(2)]
// Rows of bytes: component k of lane l is value l of row k of the block. The image has pixels of 4 bytes, so what is read outside is a pixel
// at its edge, and what is written outside is ignored.
kernel void k(read_only image2d_t in, write_only image2d_t out, global uint *a, global ushort4 *s, global uchar2 *c, global ulong2 *l)
{
    const uint i = get_global_id(0), g = get_sub_group_id();
    a[i] = intel_sub_group_block_read(in, (int2)(0, (int)g));
    uint2 two = intel_sub_group_block_read2(in, (int2)(4, -1)); // the first row twice
    a[16 + i] = two.x;
    a[32 + i] = two.y;
    s[i] = intel_sub_group_block_read_us4(in, (int2)(2, 1)); // the last row twice
    c[i] = intel_sub_group_block_read_uc2(in, (int2)(-3, 3));
    l[i] = intel_sub_group_block_read_ul2(in, (int2)(0, 0));
    intel_sub_group_block_write2(out, (int2)(32 + 32 * g, 3), (uint2)(i, i + 100));
}
