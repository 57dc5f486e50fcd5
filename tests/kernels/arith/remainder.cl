// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=uint[16]=iota --arg=uint[16]=0
// DUMP 1: [None if i == 0 else 1000 % i for i in range(16)]
kernel void divide(global const uint *a, global uint *out)
{
    int i = get_global_id(0);
    out[i] = 1000 % a[i]; // EXPECT division-by-zero
}
