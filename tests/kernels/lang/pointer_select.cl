// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 0: [i if i % 2 else 100 + i for i in range(16)]
// DUMP 1: [100 + i if i % 2 else 0 for i in range(16)]
kernel void choose(global int *a, global int *b)
{
    int i = get_global_id(0);
    global int *p = i % 2 ? b : a;
    p[i] = 100 + i;
}
