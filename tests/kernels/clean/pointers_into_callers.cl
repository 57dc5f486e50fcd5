// SPDX-License-Identifier: MIT
// Variables of functions that still run; the same function again and again; by value out of a variable that goes.
// RUN: --global=8 --local=4 --arg=int[8]=0
// DUMP 0: [6 + 2 * i for i in range(8)]
struct pair { int a, b; };
void inner(int *p, struct pair *q)
{
    int t[2] = {1, 2};
    *p += t[0] + t[1];
    q->b += t[1];
}
struct pair outer(int v)
{
    struct pair r = {v, v};
    int n = 0;
    for (int j = 0; j < 2; j++)
        if ((v & 1) == j || j == 1)
            inner(&n, &r);
    r.a += n > 3 ? 3 : n;
    r.b = v + 3;
    return r;
}
kernel void k(global int *out)
{
    int i = get_global_id(0);
    struct pair p = outer(i);
    out[i] = p.a + p.b;
}
