// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=1 --arg=int[16]=0
// NOTE: component w of the divisor is 0; its result is 0
kernel void k(global const int *in, global int *out)
{
    int g = get_global_id(0), d = in[g];
    int4 num = 100, den = (int4)(d, d + 1, d + 2, g - 7);
    num %= den; // EXPECT division-by-zero
    out[g] = num.x + num.y + num.z + num.w;
}
