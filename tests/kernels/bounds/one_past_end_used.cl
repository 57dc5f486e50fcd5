// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[16]=iota --arg=int[4]=0
// DUMP 1: [sum(range(i, 16)) for i in range(4)]
kernel void sum(global const int *a, global int *out)
{
    int i = get_global_id(0), s = 0;
    for (global const int *p = a + i; p <= a + 16; p++)
        s += *p; // EXPECT out-of-bounds 'a'
    out[i] = s;
}
