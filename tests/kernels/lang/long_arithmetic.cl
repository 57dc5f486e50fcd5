// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=long[32]=0 --arg=ulong[32]=0
// DUMP 0: [i64((i - 16) * 0x123456789abcdef) for i in range(32)]
// DUMP 1: [(2**64 - 1 - i * 0x1111111111111) // (i + 3) for i in range(32)]
kernel void longs(global long *a, global ulong *b)
{
    int i = get_global_id(0);
    a[i] = (long)(i - 16) * 0x123456789abcdefL;
    b[i] = (~0UL - (ulong)i * 0x1111111111111UL) / (ulong)(i + 3);
}
