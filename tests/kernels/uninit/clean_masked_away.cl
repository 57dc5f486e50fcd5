// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [-1] * 16
kernel void k(global int *a)
{
    int x;
    if (get_local_id(0) == 5) x = 1;
    a[get_global_id(0)] = (x & 0) + x * 0 + (x | -1);
}
