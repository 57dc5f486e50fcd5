// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [(i + 2) * (2 * i + 3) - i for i in range(16)]
struct pair {
    int a, b;
};
struct pair make(int x)
{
    struct pair p = {x, 2 * x};
    return p;
}
struct pair shift(struct pair p, int by)
{
    p.a += by;
    p.b += by + 1;
    return p;
}
kernel void structs(global int *out)
{
    int i = get_global_id(0);
    struct pair p = make(i), q = shift(p, 2);
    out[i] = q.a * q.b - p.a;
}
