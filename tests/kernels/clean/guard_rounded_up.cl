// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[50]=iota --arg=int=50
// DUMP 0: [i + 7 for i in range(50)]
kernel void add(global int *a, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    a[i] += 7;
}
