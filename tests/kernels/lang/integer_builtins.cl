// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0 --arg=uint[32]=0
// DUMP 0: [max(min(i - 16, 5), -5) + abs(i - 16) + 32 - (i + 1).bit_length() + bin(i).count('1') for i in range(32)]
// DUMP 1: [((0x80000001 << i | 0x80000001 >> (32 - i)) & 0xffffffff if i else 0x80000001) for i in range(32)]
kernel void integers(global int *a, global uint *b)
{
    int i = get_global_id(0);
    a[i] = clamp(i - 16, -5, 5) + (int)abs(i - 16) + clz(i + 1) + popcount(i);
    b[i] = rotate(0x80000001u, (uint)i);
}
