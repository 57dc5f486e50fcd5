// SPDX-License-Identifier: MIT
// RUN: --global=2 --arg=int[2]=9
// DUMP 0: [0, 0]
// OUTPUT: nothing but text
// OUTPUT: 100 %
// A format without arguments: machine code has nothing to hand over.
constant struct { int none[0]; } empty = {};

kernel void plain(global int *o)
{
    const int i = get_global_id(0);
    if (i == 0) o[i] = printf("nothing but text\n");
    else o[i] = printf("100 %%\n") + (&empty == 0);
}
