// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uchar[20]=iota --arg=uint[4]=0
// DUMP 1: None
kernel void cast(global const uchar *a, global uint *out)
{
    int i = get_global_id(0);
    out[i] = *(global const uint *)(a + 4 * i + 1); // EXPECT misaligned-access 'a'
}
