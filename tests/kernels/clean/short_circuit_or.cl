// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=0 --arg=int[40]=iota --arg=int=40
// DUMP 0: [int(i >= 40 or i % 3 == 0) for i in range(64)]
kernel void test(global int *out, global const int *a, int n)
{
    int i = get_global_id(0);
    out[i] = i >= n || a[i] % 3 == 0;
}
