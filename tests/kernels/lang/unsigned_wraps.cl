// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=uint[16]=0 --arg=int[16]=0
// DUMP 0: [u32(i - 8) % 1000 for i in range(16)]
// DUMP 1: [int(u32(i - 8) > 100) for i in range(16)]
kernel void wraps(global uint *a, global int *b)
{
    uint u = (uint)get_global_id(0) - 8u;
    a[get_global_id(0)] = u % 1000u;
    b[get_global_id(0)] = u > 100;
}
