// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=int8[1]=0
// DUMP 0: [10, 20, 11, 21, 12, 22, 13, 23]
kernel void k(global int8 *v)
{
    global int *p = (global int *)v;
    for (int i = get_global_id(0); i < 8; i += 2) p[i] = 10 + (i & 1) * 10 + i / 2;
}
