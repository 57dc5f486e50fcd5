// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[10]=0
// DUMP 0: [0, 1127743488, 240, 63, 0, 16384, 1, 2, 0, 1072693248]
kernel void k(global int *o)
{
    int2 two = as_int2(1.0), a = as_int2(6755399441055744.0);
    uchar8 b = as_uchar8(1.0);
    short4 c = as_short4(2.0);
    long l = as_long((int2)(1, 2));
    o[0] = a.x, o[1] = a.y, o[2] = b.s6, o[3] = b.s7, o[4] = c.x, o[5] = c.w;
    o[6] = (int)l, o[7] = (int)(l >> 32), o[8] = two.x, o[9] = two.y;
}
