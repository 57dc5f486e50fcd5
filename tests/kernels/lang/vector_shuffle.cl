// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [[4 * i + 3, 4 * i, 4 * i + 3, 100 + 1][c] for i in range(4) for c in range(4)]
kernel void shuffled(global const int4 *a, global int4 *out)
{
    int i = get_global_id(0);
    int4 hundred = (int4)(100, 101, 102, 103);
    out[i] = shuffle2(a[i], hundred, (uint4)(3, 0, 3, 5));
}
