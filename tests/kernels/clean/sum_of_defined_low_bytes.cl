// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=uint[8]=0
// DUMP 0: [39] * N
// What is undefined above does not reach below through sums, differences and products: carries go upwards.
kernel void k(global uint *o)
{
    uint x, y = 39u + (x << 21), z = (x << 16) - 5u, w = ((x << 24) | 3u) * 7u;
    if ((y & 7) == 7 && (uchar)z == 251 && (ushort)w == 21) o[get_global_id(0) ^ (y & 1)] = (uchar)y;
}
