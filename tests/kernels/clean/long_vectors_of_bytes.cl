// SPDX-License-Identifier: MIT
// RUN: --global=75 --local=25 --arg=uint[1200]=iota --arg=uint[1200]=0 --arg=uint[1]=0
// DUMP 2: [sum(33 + (i % 3 and (16 if i % 7 == 2 else 8)) for i in range(75))]
// Vectors of 16 and 32 bytes, by all work-items and by some: each byte lands where a scalar access finds it; how often it does is counted.
void check(bool good, global uint *count)
{
    if (good) atomic_inc(count);
}
kernel void k(global const uint *from, global uint *to, global uint *count)
{
    const uint i = get_global_id(0);
    global const uchar *b = (global const uchar *)from + 64 * i;
    global uchar *t = (global uchar *)to + 64 * i;
    const uchar16 v = vload16(0, b);
    const ushort16 w = vload16(1, (global const ushort *)b);
    uchar16 x = v.s123456789abcdef0 + (uchar)i;
    ushort8 y = w.odd ^ w.even;
    if (i % 3) {
        vstore16(x, 0, t);
        vstore8(y, 2, (global ushort *)t);
        if (i % 7 == 2) vstore16(w, 1, (global ushort *)t);
        y = vload8(1, (global const ushort *)b);
    }
    for (uint k = 0; k < 16; k++) {
        const uchar one = b[(k + 1) % 16] + (uchar)i;
        check(t[k] == (i % 3 ? one : 0), count);
        const ushort at = ((global const ushort *)b)[16 + k], two = k < 8 ? at : 0;
        if (i % 3 && i % 7 == 2) check(((global ushort *)t)[16 + k] == at, count);
        check(i % 3 == 0 || k >= 8 || two == ((global const ushort *)b)[16 + k], count);
    }
    check(i % 3 == 0 || y.s3 == ((global const ushort *)b)[11], count);
    if (i % 3 && i % 7 != 2)
        for (uint k = 0; k < 8; k++)
            check(((global ushort *)t)[16 + k] == (((global const ushort *)b)[17 + 2 * k] ^ ((global const ushort *)b)[16 + 2 * k]), count);
}
