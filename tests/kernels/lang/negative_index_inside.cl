// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[32]=iota --arg=int[16]=0
// DUMP 1: [16 - i for i in range(16)]
kernel void back(global const int *a, global int *out)
{
    int i = get_global_id(0);
    global const int *p = a + 16;
    out[i] = p[-i];
}
