// SPDX-License-Identifier: MIT
// RUN: --kernel=word --global=8 --local=8 --arg=uchar[36]=0
// Work-item 0 writes a word of four bytes, the others a byte each.
kernel void word(global uchar *b)
{
    int i = get_global_id(0);
    if (i == 0) *(global uint *)b = 0x7f7e7d7c; // EXPECT data-race 'b'
    else b[i + 2] = (uchar)i; // OTHER data-race
}
