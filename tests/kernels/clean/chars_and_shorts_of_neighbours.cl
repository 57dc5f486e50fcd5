// SPDX-License-Identifier: MIT
// RUN: --kernel=bytes --global=64 --local=32 --arg=uchar[64]=0 --arg=ushort[64]=0
// DUMP 0: [i + 1 for i in range(64)]
// DUMP 1: [(63 - i) ^ 1 for i in range(64)]
kernel void bytes(global uchar *b, global ushort *s)
{
    int i = get_global_id(0);
    b[i] = (uchar)i;
    s[63 - i] = (ushort)i;
    b[i] += 1;
    s[63 - i] ^= 1;
}
