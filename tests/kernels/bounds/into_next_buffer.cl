// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[16]=iota --arg=int[16]=iota
// DUMP 0: list(range(16))
// DUMP 1: list(range(16))
// The distance to another object is not a way into it.
kernel void hop(global int *a, global int *b)
{
    a[b - a] = 99;       // EXPECT out-of-bounds 'a'
    global int *p = a + (b - a) + 3;
    *p = 98;             // EXPECT out-of-bounds 'a'
}
