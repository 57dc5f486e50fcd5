// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[64]=iota --arg=int[4]=0
// DUMP 1: [sum(range(16 * i, 16 * i + 16)) for i in range(4)]
// A pointer one past the end is compared, never used; arithmetic leaves the object and returns.
kernel void sum(global const int *a, global int *out)
{
    int i = get_global_id(0), s = 0;
    global const int *end = a + 16 * i + 16;
    for (global const int *p = end - 100 + 84; p != end; p++)
        s += *p;
    out[i] = s;
}
