// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=0 --arg=uchar[64]=0 --arg=long[64]=0
// DUMP 0: [i32(5 << (i % 32)) for i in range(64)]
// DUMP 1: [u8(200 >> (i % 32)) for i in range(64)]
// DUMP 2: [(-1 << 40) >> i for i in range(64)]
kernel void shifts(global int *a, global uchar *b, global long *c)
{
    int i = get_global_id(0);
    uchar u = 200;
    a[i] = 5 << i;
    b[i] = u >> i;
    c[i] = (-1L << 40) >> i;
}
