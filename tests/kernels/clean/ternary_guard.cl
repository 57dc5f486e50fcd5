// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=0 --arg=int[33]=iota --arg=int=33
// DUMP 0: [i if i < 33 else -1 for i in range(64)]
kernel void pick(global int *out, global const int *a, int n)
{
    int i = get_global_id(0);
    out[i] = i < n ? a[i] : -1;
}
