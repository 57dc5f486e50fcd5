// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=undef --arg=int[8]=0
// DUMP 1: [2 * i for i in range(8)]
// A buffer is not given a value by its being an argument in constant memory; a table of the program has one.
constant int table[2] = {2, 3};
kernel void look(constant int *c, global int *out)
{
    int i = get_global_id(0);
    out[i] = i * table[0];
    if (c[i]) // EXPECT uninitialized-read 'c'
        out[i] = c[i] * 3;
}
