// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[16]=iota
// DUMP 0: [k if k < 10 else 10 - k for k in range(16)]
kernel void walk(global int *a)
{
    int i = get_global_id(0);
    global int *p = a;
    p += 8;
    p += i;
    ++p;
    p[1] = -i; // EXPECT out-of-bounds 'a'
}
