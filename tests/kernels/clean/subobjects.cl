// SPDX-License-Identifier: MIT
// The last elements; the end of a row as a pointer only; a pointer that starts at a row's first element and walks on; arrays of
// varying length at the end of structs; lanes without a work-item; a union that accesses a vector's components.
// RUN: --global=8 --local=8 --arg=int[40]=0 --arg=int[8]=0
// DUMP 1: [6 + 28 + 9 + (i + 2 if i < 4 else 0) for i in range(8)]
struct tail { int n; int data[1]; };
union u { int4 v; int s[4]; };
kernel void k(global struct tail *p, global int *out)
{
    int i = get_global_id(0), t[2][4], sum = 0;
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 4; c++) t[r][c] = 4 * r + c;
    for (int *q = t[0], *end = &t[0][4 + (i >> 8)]; q != end; q++) sum += *q;
    int *flat = &t[0][0];
    for (int j = 0; j < 8; j++) sum += flat[j];
    p->data[i] = i;
    union u x;
    x.v = (int4)(0, 1, 4, 4);
    for (int j = 0; j < 4; j++) sum += x.s[j];
    if (i < 4)
        sum += t[0][i] + 2;
    out[i] = sum;
}
