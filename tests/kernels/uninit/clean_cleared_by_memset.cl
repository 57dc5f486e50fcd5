// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [1] * 16
kernel void k(global int *a)
{
    int t[8] = {0};
    t[get_global_id(0) & 7] = 1;
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += t[i];
    a[get_global_id(0)] = sum;
}
