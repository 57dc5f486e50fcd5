// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=null --arg=int[8]=0
// DUMP 1: [-1] * 8
// Testing an optional argument for NULL is correct.
kernel void copy(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a ? a[i] : -1;
    if (a != 0 && a[i] == 3)
        out[i] = 4;
}
