// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0
// DUMP 0: [(a * b if a > b else b - a) for i in range(32) for a in [i % 7 if i % 2 else i + 3] for b in [5 if i > 20 else i % 4]]
kernel void phis(global int *out)
{
    int i = get_global_id(0), a, b;
    if (i & 1)
        a = i % 7;
    else
        a = i + 3;
    b = i > 20 ? 5 : i % 4;
    int t = a;
    if (a > b)
        a = b, b = t;
    out[i] = t > a ? a * b : b - a;
}
