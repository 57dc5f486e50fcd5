// SPDX-License-Identifier: MIT
// DUMP 0: [0, 1, 2, 3]
// RUN: --global=4 --local=4 --arg=int[4]=0
int note(global int *o, int x)
{
    o[x] = x;
    if (x > 100) return 1;
}
kernel void k(global int *o)
{
    note(o, get_global_id(0));
}
