// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=short[64]=0 --arg=int[64]=0
// DUMP 0: [i16(i16(i * 1021) * 77) for i in range(64)]
// DUMP 1: [i16(i * 1021) >> 2 for i in range(64)]
kernel void shorts(global short *a, global int *b)
{
    int i = get_global_id(0);
    short s = (short)(i * 1021);
    a[i] = s * 77;
    b[i] = s >> 2;
}
