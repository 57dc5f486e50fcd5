// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[17]=iota
kernel void k(global int *x)
{
    global int *p[2];
    int i = get_global_id(0);
    p[0] = x + i;
    p[1] = x + i + 1;
    *p[0] = *p[1]; // EXPECT data-race 'x'
}
