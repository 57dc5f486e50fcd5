// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=char[11]=iota --arg=int[1]=0
// DUMP 0: list(range(11))
// Three bytes of the four are inside.
kernel void straddle(global char *a, global int *out)
{
    global int *p = (global int *)a;
    p[2] = 5; // EXPECT out-of-bounds 'a'
    out[0] = 1;
}
