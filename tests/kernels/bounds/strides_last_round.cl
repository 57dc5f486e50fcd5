// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=uchar[192]=iota --arg=uint[64]=0
// RUN: --global=64 --local=16 --arg=uchar[192]=iota --arg=uint[64]=0
// DUMP 1: [sum(3*g+k for k in range(4) if 3*g+k < 192) for g in range(64)]
// Three rounds are right, and all lie in the same way.
kernel void last(global const uchar *a, global uint *b)
{
    uint g = get_global_id(0), sum = 0;
    for (uint k = 0; k < 4; k++)
        sum += a[3 * g + k]; // EXPECT out-of-bounds 'a'
    b[g] = sum;
}
