// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0
// DUMP 0: [((i + 1) * 2 + 3) ** 2 - ((i - 1) * 2 + 3) ** 2 for i in range(32)]
int h1(int x) { return x * 2; }
int h2(int x) { return h1(x) + 3; }
int h3(int x)
{
    int y = h2(x);
    return y * y;
}
kernel void chain(global int *out)
{
    int i = get_global_id(0);
    out[i] = h3(i + 1) - h3(i - 1);
}
