// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [i * 10 if i % 2 else i + 1 for i in range(16)]
kernel void indirect(global const int *a, global int *out)
{
    int i = get_global_id(0), x = a[i] * 10, y = a[i] + 1;
    int *p = &x, *q = &y;
    int **pp = i % 2 ? &p : &q;
    out[i] = **pp;
}
