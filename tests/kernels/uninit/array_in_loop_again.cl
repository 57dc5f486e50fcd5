// SPDX-License-Identifier: MIT
// An array declared in a loop's body has no value in the next round, whatever lies there.
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    int l = get_global_id(0), sum = 0;
    for (int i = 0; i < 3; i++) {
        int t[4];
        if (i == 0) t[l & 3] = i;
        sum += t[l & 3];
    }
    o[l] = sum; // EXPECT uninitialized-read 't'
}
