// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=64 --arg=char[256]=0 --arg=uchar[256]=0
// DUMP 0: [i8(i8(i) * 3 + 100) for i in range(256)]
// DUMP 1: [u8((u8(i) << 1) ^ (u8(i) >> 3)) for i in range(256)]
kernel void bytes(global char *a, global uchar *b)
{
    int i = get_global_id(0);
    char c = (char)i;
    uchar u = (uchar)i;
    c = c * 3 + 100;
    a[i] = c;
    b[i] = u << 1 ^ u >> 3;
}
