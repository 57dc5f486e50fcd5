// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
constant int table[4] = {1, 2, 3, 4};
kernel void k(global int *o)
{
    int i = get_global_id(0);
    o[i] = table[i - 2]; // EXPECT out-of-bounds 'table'
}
