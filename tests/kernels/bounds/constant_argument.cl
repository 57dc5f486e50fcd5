// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[7]=iota --arg=int[8]=0
// DUMP 1: [0, 1, 2, 3, 4, 5, 6, 0]
kernel void look(constant int *c, global int *out)
{
    int i = get_global_id(0);
    out[i] = c[i]; // EXPECT out-of-bounds 'c'
}
