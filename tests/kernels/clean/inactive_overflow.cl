// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// DUMP 0: [-2**31 if i % 2 else (-2**31) // 2 for i in range(32)]
// INT_MIN / -1 only in lanes that are not active.
kernel void divide(global int *out)
{
    int i = get_global_id(0);
    int x = (int)0x80000000, d = i & 1 ? -1 : 2;
    if (d != -1)
        x = x / d;
    out[i] = x;
}
