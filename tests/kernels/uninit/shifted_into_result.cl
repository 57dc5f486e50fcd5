// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    uchar b[4];
    int i = get_global_id(0);
    b[0] = b[2] = b[3] = 1;
    a[i] = b[0] | b[1] << 8; // EXPECT uninitialized-read 'b'
}
