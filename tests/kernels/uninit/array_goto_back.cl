// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    int l = get_global_id(0), sum = 0, i = 0;
again: {
    int t[2];
    if (i == 0) t[l & 1] = 1;
    sum += t[l & 1];
    if (++i < 3) goto again;
}
    o[l] = sum; // EXPECT uninitialized-read 't'
}
