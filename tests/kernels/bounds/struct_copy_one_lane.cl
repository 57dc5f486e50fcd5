// SPDX-License-Identifier: MIT
// RUN: --global=20 --local=20 --arg=int[80]=iota --arg=int[80]=0
// SAYS: work-item local (7,0,0)
// DUMP 1: [i if i // 4 not in (7,) else 0 for i in range(80)]
// One work-item copies from beyond the end: it gets zeroes, the others what they asked for.
struct four { int a, b, c, d; };
kernel void copy(global const struct four *in, global struct four *out)
{
    int i = get_global_id(0);
    out[i] = in[i == 7 ? 20 : i]; // EXPECT out-of-bounds
}
