// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [2 * int(i >= 4) + int(i > 4) for i in range(16)]
kernel void anyall(global int *out)
{
    int i = get_global_id(0);
    int4 v = (int4)(1, 2, 3, 4);
    out[i] = 2 * all(v <= i) + any((int4)(9, 9, 5, 9) <= i);
}
