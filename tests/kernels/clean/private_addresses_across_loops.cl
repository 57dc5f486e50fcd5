// SPDX-License-Identifier: MIT
// Addresses in private memory are computed before uniform loops and used after them: each work-item has its own.
// RUN: --global=8 --local=8 --arg=int[8]=0
// RUN: --global=6 --local=3 --arg=int[8]=0
// DUMP 0: [15 + i if i < N else 0 for i in range(8)]
union u { int4 v; int s[4]; };
kernel void k(global int *out)
{
    int i = get_global_id(0), t[4], sum = i;
    for (int c = 0; c < 4; c++) t[c] = c;
    for (int *q = t, *end = &t[4 + (i >> 8)]; q != end; q++) sum += *q;
    union u x;
    x.v = (int4)(0, 1, 4, 4);
    int *last = &x.s[3];
    for (int j = 0; j < 3; j++) sum += x.s[j];
    out[i] = sum + *last;
}
