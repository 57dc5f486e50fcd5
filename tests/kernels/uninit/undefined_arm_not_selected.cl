// SPDX-License-Identifier: MIT
// DUMP 0: [1] * 4
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    int a = 1, b;
    o[get_global_id(0)] = get_global_id(0) < 8 ? a : b;
}
