// SPDX-License-Identifier: MIT
// RUN: --kernel=search --global=1 --local=1 --arg=int[8]=iota --arg=int[1]=0
kernel void search(global const int *a, global int *o)
{
    int k = 0;
    while (a[k] != 99 && k < 12) // EXPECT out-of-bounds 'a'
        k++;
    *o = k;
}
