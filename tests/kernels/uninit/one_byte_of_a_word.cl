// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    union { uchar b[4]; int w; } u;
    u.b[0] = u.b[1] = u.b[3] = 1;
    a[get_global_id(0)] = u.w; // EXPECT uninitialized-read 'u'
}
