// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0 --arg=int=5
// DUMP 0: [5] * 4
kernel void k(global int *a, int n)
{
    int *p = &n;
    a[get_global_id(0)] = *p;
}
