// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[8]=0
constant int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
kernel void k(global int *o)
{
    int g = get_global_id(0);
    o[g] = table[1][g]; // EXPECT out-of-bounds subobject-overflow 'table'
}
