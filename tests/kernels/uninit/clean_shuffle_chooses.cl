// SPDX-License-Identifier: MIT
// Only the components that the mask chooses count, whether it is a constant or computed.
// RUN: --global=8 --local=8 --arg=float[8]=0 --arg=int[8]=0
// DUMP 0: [6 * i + 2 + (i & 3) for i in range(8)]
// DUMP 1: [30 + (i & 2) + (3 * i if i & 1 else 5) for i in range(8)]
kernel void k(global float *a, global int *b)
{
    int i = get_global_id(0);
    float4 q;
    q.xz = (float2)(i, 1);
    float4 r = shuffle(q, (uint4)(0, 2, 2, 0)); // i, 1, 1, i
    r += shuffle(q, (uint4)(i & 2 ? 0 : 4));    // the bits above do not count: i
    float2 s = shuffle2(q, (float4)(1, 2, 3, 4), (uint2)(0, 4 + (i & 3)));
    a[i] = r.x + r.z + r.w + s.x + s.y;
    char16 c;
    c.s37 = (char2)(3 * i, 9);
    long2 l;
    l.y = 30 + (i & 2);
    char16 d = shuffle2((char16)(5), c, convert_uchar16((int16)(i & 1 ? 16 + 3 : 7))); // of 32
    b[i] = shuffle(l, (ulong2)(i | 1)).x + d.sb;
}
