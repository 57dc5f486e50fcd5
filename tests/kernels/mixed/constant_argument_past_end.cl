// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[3]=iota --arg=int[4]=0
kernel void k(constant int *c, global int *o)
{
    int i = get_global_id(0);
    o[i] = c[i]; // EXPECT out-of-bounds 'c'
}
