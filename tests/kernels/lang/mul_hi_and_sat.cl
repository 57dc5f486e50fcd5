// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0 --arg=int[16]=0 --arg=uint[16]=0
// DUMP 0: [(i - 8) * 0x10000000 * 0x7000 >> 32 for i in range(16)]
// DUMP 1: [min(2**31 - 1, (i - 8) * 0x10000000 + 2**31 - 1) for i in range(16)]
// DUMP 2: [max(0, i - 8) for i in range(16)]
kernel void high(global int *a, global int *b, global uint *c)
{
    int i = get_global_id(0), x = (i - 8) * 0x10000000;
    a[i] = mul_hi(x, 0x7000);
    b[i] = add_sat(x, 0x7fffffff);
    c[i] = sub_sat((uint)i, 8u);
}
