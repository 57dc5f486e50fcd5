// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: [(((((i + 5) * 3 - 2) << 2) ^ 21) | 64) & 0xfff for i in range(16)]
kernel void ops(global int *a)
{
    int i = get_global_id(0);
    a[i] += 5;
    a[i] *= 3;
    a[i] -= 2;
    a[i] <<= 2;
    a[i] ^= 21;
    a[i] |= 64;
    a[i] &= 0xfff;
}
