// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=short[32]=iota --arg=short[32]=0
// DUMP 1: [i16(3 * (16 * (k // 16) + 15 - k % 16) - 1) for k in range(32)]
kernel void sixteen(global const short16 *a, global short16 *out)
{
    int i = get_global_id(0);
    short16 v = a[i] * (short)3 - (short)1;
    out[i] = v.sfedcba9876543210;
}
