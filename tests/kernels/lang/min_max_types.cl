// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=long[8]=0 --arg=ulong[8]=0
// DUMP 0: [max(min(((i - 4) << 40), 2**41), -(2**41)) for i in range(8)]
// DUMP 1: [((2**63 + i) * (2**62 + 5)) >> 64 for i in range(8)]
kernel void wide(global long *a, global ulong *b)
{
    int i = get_global_id(0);
    a[i] = clamp((long)(i - 4) * (1L << 40), -(1L << 41), 1L << 41);
    b[i] = mul_hi((1UL << 63) + (ulong)i, (1UL << 62) + 5UL);
}
