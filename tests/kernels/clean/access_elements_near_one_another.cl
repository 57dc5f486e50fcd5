// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=32 --arg=uint[96]=0 --arg=uint[202]=iota --arg=uint=96
// RUN: --global=80 --local=80 --arg=uint[80]=0 --arg=uint[202]=iota --arg=uint=80
// DUMP 0: [2*g + 3*(N-1-g) + 5*(g^1) + 7*(g^13) + 11*(g//8*16+g%8) + (13*(2*g+1) + 17*(g+2) + 19*(g^3) if g % 7 > 2 else 0) for g in range(N)]
// Strides, exchanges and rows: taken out of few vectors, near the ends of the buffer too.
kernel void near(global uint *out, global const uint *in, uint n)
{
    uint g = get_global_id(0), t = in[2 * g] + 3 * in[n - 1 - g] + 5 * in[g ^ 1] + 7 * in[g ^ 13] + 11 * in[g / 8 * 16 + g % 8];
    if (g % 7 > 2) t += 13 * in[2 * g + 1] + 17 * in[g + 2] + 19 * in[g ^ 3];
    out[g] = t;
}
