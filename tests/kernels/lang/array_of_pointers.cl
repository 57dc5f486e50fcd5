// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=12 --arg=int[12]=iota --arg=int[12]=0
// DUMP 1: [i + (100 if i % 3 == 0 else 200 if i % 3 == 1 else 300) for i in range(12)]
kernel void table(global const int *a, global int *out)
{
    int i = get_global_id(0), x = 100, y = 200, z = 300;
    int *t[3] = {&x, &y, &z};
    out[i] = a[i] + *t[i % 3];
}
