// SPDX-License-Identifier: MIT
// RUN: --global=72 --local=24 --arg=int[1]=0 --arg=uchar[1152]=rand:1 --arg=ushort[1152]=rand:2 --arg=uint[1152]=rand:3 --arg=uchar[4608]=0 --arg=ushort[3456]=0 --arg=uint[4608]=0
// RUN: --global=72 --local=1 --arg=int[1]=0 --arg=uchar[1152]=rand:1 --arg=ushort[1152]=rand:2 --arg=uint[1152]=rand:3 --arg=uchar[4608]=0 --arg=ushort[3456]=0 --arg=uint[4608]=0
// DUMP 0: [0]
// Vectors of every size, from scattered places to scattered places, by all and by some work-items: as element by element.
#define CHECK(T, N, in, out)                                                                       \
    {                                                                                              \
        int from = i * 7 % 72, to = i * 5 % 72;                                                    \
        T##N v = vload##N(from, in);                                                               \
        vstore##N(v, to, out);                                                                     \
        for (int k = 0; k < N; k++) wrong += in[from * N + k] != out[to * N + k];                  \
        T##N w = ((global const T##N *)in)[i];                                                     \
        ((global T##N *)out)[i < 0 ? 0 : to] = w;                                                  \
        for (int k = 0; k < N; k++) wrong += in[i * N + k] != out[to * N + k];                     \
        if (i % 3) {                                                                               \
            v = ((global const T##N *)in)[from];                                                   \
            if (from & 1) ((global T##N *)out)[to] = v + (T)1;                                     \
            for (int k = 0; k < N; k++) wrong += from & 1 && (T)(in[from * N + k] + 1) != out[to * N + k]; \
        }                                                                                          \
        out[to * N] = 0;                                                                           \
        ((global T##N *)out)[to] = (T##N)(7);                                                      \
        for (int k = 0; k < N; k++) wrong += out[to * N + k] != 7;                                 \
    }
kernel void vectors(global int *bad, global const uchar *a, global const ushort *b, global const uint *c, global uchar *x,
                    global ushort *y, global uint *z)
{
    int i = get_global_id(0), wrong = 0;
    CHECK(uchar, 2, a, (x + 0))
    CHECK(uchar, 4, a, (x + 1152))
    CHECK(uchar, 8, a, (x + 2304))
    CHECK(uchar, 16, a, (x + 3456))
    CHECK(ushort, 2, b, (y + 0))
    CHECK(ushort, 4, b, (y + 1152))
    CHECK(ushort, 8, b, (y + 2304))
    CHECK(uint, 2, c, (z + 0))
    CHECK(uint, 4, c, (z + 1152))
    CHECK(uint, 8, c, (z + 2304))
    CHECK(uint, 16, c, (z + 3456))
    atomic_add(bad, wrong);
}
