// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=uint[8]=0 --arg=int[8]=0
// DUMP 0: [bits(1.0 + i) for i in range(8)]
// DUMP 1: [i8(200 + i) + 256 * (i + 1) for i in range(8)]
kernel void bits(global uint *a, global int *b)
{
    int i = get_global_id(0);
    a[i] = as_uint(1.0f + i);
    uchar4 v = (uchar4)(200 + i, i + 1, 0, 0);
    char4 w = as_char4(v);
    b[i] = w.x + 256 * w.y;
}
