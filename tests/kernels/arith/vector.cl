// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=int[8]=1,2,0,4,5,6,7,8 --arg=int[8]=0
// DUMP 1: [840 // d if d else None for d in (1, 2, 0, 4, 5, 6, 7, 8)]
kernel void divide(global const int4 *a, global int4 *out)
{
    int i = get_global_id(0);
    out[i] = 840 / a[i]; // EXPECT division-by-zero
}
