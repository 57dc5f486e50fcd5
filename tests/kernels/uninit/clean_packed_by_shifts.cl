// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [513] * 16
kernel void k(global int *a)
{
    uchar b[8];
    int i = get_global_id(0);
    b[0] = 1;
    b[1] = 2;
    uint w = as_uint((uchar4)(b[0], b[1], b[2], b[3]));
    a[i] = w & 0xffff;
}
