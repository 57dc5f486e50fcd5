// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float4[8]=0 --arg=float[8]=0 --arg=char16[8]=0
kernel void k(global float4 *a, global float *b, global char16 *c)
{
    int i = get_global_id(0);
    float4 q;
    q.xz = (float2)(i, 1);
    a[i] = shuffle(q, (uint4)(0, i == 5 ? 1 : 2, 2, 0)); // EXPECT uninitialized-read 'q'
    uint4 mask;
    mask.x = i & 2;
    b[i] = shuffle((float4)(1, 2, 3, 4), mask).y; // EXPECT uninitialized-read 'mask'
    char16 d;
    d.s0 = i;
    c[i] = shuffle2((char16)(1), d, (uchar16)(i == 2 ? 17 : 16)); // EXPECT uninitialized-read 'd'
}
