// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=uint[64]=iota --arg=uint[64]=0 --arg=ushort[32]=iota --arg=uint[64]=0 --arg=float4[16]=0 --arg=uchar[32]=0
// RUN: --build-options=-cl-std=CL3.0 --global=16 --local=16 --sub-group-size=8 --arg=uint[64]=iota --arg=uint[64]=0 --arg=ushort[32]=iota --arg=uint[64]=0 --arg=float4[16]=0 --arg=uchar[32]=0
// DUMP 1: [j + 1 for j in range(64)]
// DUMP 3: [i // 8 * 8 + 7 - i % 8 for i in range(16)] + [i + 3 if i % 8 < 5 else i - 5 + 100 for i in range(16)] + [i - 3 if i % 8 > 2 else i + 5 + 100 for i in range(16)] + [i // 8 * 16 + 15 for i in range(16)]
// DUMP 4: [x for i in range(16) for x in ((i ^ 1), (i ^ 1) + 0.5, 2, 3)]
// DUMP 5: [j // 16 * 8 + j % 8 + j % 16 // 8 * 100 for j in range(32)]
// In a block, component k of lane l is element l + 8 k. Two work-items shift between two values each.
kernel void k(global const uint *a, global uint *out, global const ushort *s, global uint *moved, global float4 *v, global uchar *bytes)
{
    local uchar tmp[32] __attribute__((aligned(16)));
    const uint i = get_global_id(0), first = get_sub_group_id() * 8;
    moved[i] = intel_sub_group_shuffle(a[i], 7 - i % 8);
    moved[16 + i] = intel_sub_group_shuffle_down(a[i], a[i] + 100, 3u);
    moved[32 + i] = intel_sub_group_shuffle_up(a[i] + 100, a[i], 3u);
    v[i] = intel_sub_group_shuffle_xor((float4)(i, i + 0.5f, 2, 3), 1u);
    uint4 block = intel_sub_group_block_read4(a + first * 4);
    intel_sub_group_block_write4(out + first * 4, block + 1);
    ushort2 pair = intel_sub_group_block_read_us2(s + first * 2);
    moved[48 + i] = intel_sub_group_reduce_max(pair.y);
    intel_sub_group_block_write_uc2(tmp + first * 2, (uchar2)(i, i + 100));
    barrier(CLK_LOCAL_MEM_FENCE);
    bytes[i] = tmp[i];
    bytes[16 + i] = tmp[16 + i];
}
