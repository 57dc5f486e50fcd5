// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[100]=iota --arg=int=100 --arg=int[1]=0
// DUMP 2: [sum(i * i for i in range(100))]
kernel void task(global const int *a, int n, global int *out)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    *out = sum;
}
