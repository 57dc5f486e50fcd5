// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[16]=iota --arg=int[32]=0
// DUMP 1: [x for i in range(4) for (a, b, c, d) in [(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)] for x in (d, c, b, a, b, d, a + c, a)]
kernel void swizzle(global const int4 *v, global int *out)
{
    int i = get_global_id(0);
    int4 a = v[i], b = a.wzyx;
    int2 c = a.odd, e = a.lo;
    int4 d = 0;
    d.xw = (int2)(c.x, e.x);
    d.s1 = a.hi.s1;
    d.z = a.even.s0 + a.even.s1;
    vstore4(b, 2 * i, out);
    vstore4(d, 2 * i + 1, out);
}
