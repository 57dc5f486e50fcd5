// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=char[64]=iota --arg=int[8]=0
// DUMP 1: [sum(range(8 * i, 8 * i + 8, i % 3 + 1)) for i in range(8)]
kernel void walk(global const char *a, global int *out)
{
    int i = get_global_id(0), s = 0;
    global const char *p = a + 8 * i, *end = p + 8;
    while (p < end) {
        s += *p;
        p += i % 3 + 1;
    }
    out[i] = s;
}
