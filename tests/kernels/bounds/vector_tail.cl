// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[14]=iota --arg=int[4]=0
// DUMP 1: [sum(range(4 * i, 4 * i + 4)) if i < 3 else None for i in range(4)]
// The last vector lies half outside.
kernel void sums(global const int4 *v, global int *out)
{
    int i = get_global_id(0);
    int4 x = v[i]; // EXPECT out-of-bounds 'v'
    out[i] = x.x + x.y + x.z + x.w;
}
