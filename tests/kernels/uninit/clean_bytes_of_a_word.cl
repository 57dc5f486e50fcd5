// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [2 * (256 + i) for i in range(16)]
kernel void k(global int *a)
{
    union { uchar b[4]; int w; } u;
    u.b[0] = get_global_id(0);
    u.b[1] = 1;
    int low = u.w & 0xffff;
    uint again = (uint)(u.w << 16) >> 16;
    a[get_global_id(0)] = low + again;
}
