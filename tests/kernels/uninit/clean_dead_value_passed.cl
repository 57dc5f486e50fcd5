// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [9 if i & 1 else 7 for i in range(16)]
int use(int flag, int v) { return flag ? v : 7; }
kernel void k(global int *a)
{
    int i = get_global_id(0), x;
    if (i & 1) x = 9;
    a[i] = use(i & 1, x);
}
