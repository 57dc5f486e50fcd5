// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=32 --arg=uint[96]=0 --arg=uint[96]=0
// RUN: --global=60 --local=12 --arg=uint[60]=0 --arg=uint[60]=0
// DUMP 0: [(lambda b: (b.__setitem__(g % 11, 5) if g % 3 else None, b.__setitem__(4, g & 255) if g % 5 < 2 else None, sum((i + 1) * v for i, v in enumerate(b)))[2])([i * 7 + g & 255 for i in range(11)]) for g in range(N)]
// DUMP 1: [(lambda s: (s.__setitem__(g % 7, (s[g % 7] ^ s[(g + 3) % 7]) & 65535) if g & 1 else None, s[0] + 3 * s[g % 7] + 5 * s[6])[1])([i * 777 + g * 3 & 65535 for i in range(7)]) for g in range(N)]
// Bytes and pairs of bytes in private memory, at places that the work-items share and at their own.
kernel void parts(global uint *bytes, global uint *pairs)
{
    uchar b[11];
    ushort s[7];
    uint g = get_global_id(0), sum = 0;
    for (uint i = 0; i < 11; i++) b[i] = (uchar)(i * 7 + g);
    for (uint i = 0; i < 7; i++) s[i] = (ushort)(i * 777 + g * 3);
    if (g % 3) b[g % 11] = 5;
    if (g % 5 < 2) b[4] = (uchar)g;
    if (g & 1) s[g % 7] ^= s[(g + 3) % 7];
    for (uint i = 0; i < 11; i++) sum += (i + 1) * b[i];
    bytes[g] = sum;
    pairs[g] = s[0] + 3 * s[g % 7] + 5 * s[6];
}
