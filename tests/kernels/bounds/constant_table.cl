// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [1, 2, 3, 4, 0, 0, 0, 0]
constant int table[4] = {1, 2, 3, 4};
kernel void look(global int *out)
{
    int i = get_global_id(0);
    out[i] = table[i]; // EXPECT out-of-bounds 'table'
}
// SAYS: help: Compare the index with the size of the array
