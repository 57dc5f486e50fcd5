// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[32]=0
// DUMP 0: [[i // 2 // 5, i // 2 % 5][i % 2] for i in range(32)]
void divide(int a, int b, int *q, int *r)
{
    *q = a / b;
    *r = a % b;
}
kernel void both(global int *out)
{
    int i = get_global_id(0), q, r;
    divide(i, 5, &q, &r);
    out[2 * i] = q;
    out[2 * i + 1] = r;
}
