// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=32 --build-options=-DT=uchar --arg=uchar[671]=0 --arg=uchar[668]=iota --arg=uint=96
// RUN: --global=96 --local=96 --build-options=-DT=uchar --arg=uchar[671]=0 --arg=uchar[668]=iota --arg=uint=96
// RUN: --global=100 --local=100 --build-options=-DT=uchar --arg=uchar[699]=0 --arg=uchar[696]=iota --arg=uint=100
// RUN: --global=96 --local=32 --build-options=-DT=ushort --arg=ushort[671]=0 --arg=ushort[668]=iota --arg=uint=96
// RUN: --global=96 --local=96 --build-options=-DT=ushort --arg=ushort[671]=0 --arg=ushort[668]=iota --arg=uint=96
// RUN: --global=100 --local=100 --build-options=-DT=ushort --arg=ushort[699]=0 --arg=ushort[696]=iota --arg=uint=100
// RUN: --global=96 --local=32 --build-options=-DT=uint --arg=uint[671]=0 --arg=uint[668]=iota --arg=uint=96
// RUN: --global=96 --local=96 --build-options=-DT=uint --arg=uint[671]=0 --arg=uint[668]=iota --arg=uint=96
// RUN: --global=100 --local=100 --build-options=-DT=uint --arg=uint[699]=0 --arg=uint[696]=iota --arg=uint=100
// RUN: --global=96 --local=32 --build-options=-DT=ulong --arg=ulong[671]=0 --arg=ulong[668]=iota --arg=uint=96
// RUN: --global=96 --local=96 --build-options=-DT=ulong --arg=ulong[671]=0 --arg=ulong[668]=iota --arg=uint=96
// RUN: --global=100 --local=100 --build-options=-DT=ulong --arg=ulong[699]=0 --arg=ulong[696]=iota --arg=uint=100
// DUMP 0: (lambda f: [T(f(i // 3, i % 3)) for i in range(3 * N)] + [T(f(i // 4, i % 4) + 1) if i % 4 < 3 and i // 4 % 3 else 0 for i in range(4 * N - 1)])(lambda g, k: (2*g+k) + 3*(3*g+k) + 5*(4*g+k) + 7*(7*g+k) + 11*(N-1-g+k) + 13*(g//8*16+g%8+k) + 17*(g//16+k) + (19*(3*g+k+2) + 23*(5*g+k) if g % 7 > 2 else 0) + (29*(9*g+k) if 9*g+k < 7*N-4 else 0))
// The same strides, exchanges and rows in each round of a loop, a little further on, up to the very ends of the buffers; the last one of
// all lies outside them for lanes that do not read it.
kernel void rounds(global T *out, global const T *in, uint n)
{
    uint g = get_global_id(0);
    for (uint k = 0; k < 3; k++) {
        T t = in[2 * g + k] + 3 * in[3 * g + k] + 5 * in[4 * g + k] + 7 * in[7 * g + k];
        t += 11 * in[n - 1 - g + k] + 13 * in[g / 8 * 16 + g % 8 + k] + 17 * in[g / 16 + k];
        if (g % 7 > 2) t += 19 * in[3 * g + k + 2] + 23 * in[5 * g + k];
        if (9 * g + k < 7 * n - 4) t += 29 * in[9 * g + k];
        out[3 * g + k] = t;
        if (g % 3) out[3 * n + 4 * g + k] = t + 1;
    }
}
