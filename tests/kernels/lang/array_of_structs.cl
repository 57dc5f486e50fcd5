// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[32]=iota --arg=int[8]=0
// DUMP 1: [4 * i + 2 * (4 * i + 1) + 3 * (4 * ((i + 1) % 8) + 3) for i in range(8)]
struct rec {
    int a;
    struct {
        int b, c[2];
    } in;
};
kernel void fields(global const struct rec *r, global int *out)
{
    int i = get_global_id(0);
    out[i] = r[i].a + 2 * r[i].in.b + 3 * r[(i + 1) % 8].in.c[1];
}
