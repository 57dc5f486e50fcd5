// SPDX-License-Identifier: MIT
// Parameters whose address is taken, of functions that are called again: they have a value each time.
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[64]=0
// DUMP 1: [sum(range(k, k + 3)) + 3 * k for k in range(N)]

struct two {
    int a, b;
};

int through(int *p) { return *p; }

int whole(int q)
{
    int *p = &q;
    return through(p);
}

int part(struct two t)
{
    struct two *p = &t;
    return through(&p->a) + p->b;
}

kernel void parameters(global const int *in, global int *out)
{
    int sum = 0;
    const int x = in[get_global_id(0)];
    for (int i = 0; i < 3; i++) {
        struct two t = {x, 0};
        sum += whole(x + i) + part(t);
    }
    out[get_global_id(0)] = sum;
}
