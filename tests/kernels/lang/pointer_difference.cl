// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=long[16]=iota --arg=int[16]=0
// DUMP 1: [2 * i - 15 for i in range(16)]
kernel void distance_between(global const long *a, global int *out)
{
    int i = get_global_id(0);
    global const long *p = &a[i], *q = &a[15 - i];
    out[i] = (int)(p - q);
    if ((p < q) != (i < 8))
        out[i] = 99;
}
