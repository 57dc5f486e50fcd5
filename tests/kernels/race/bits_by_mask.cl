// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=uint[2]=0
// A bit for each work-item, set by reading and writing the word.
kernel void k(global uint *bits)
{
    const int i = get_global_id(0);
    bits[i / 32] |= 1u << (i & 31); // EXPECT data-race 'bits'
}
