// SPDX-License-Identifier: MIT
// Declared outside of the loop: it keeps what the round before wrote.
// RUN: --global=4 --local=4 --arg=int[4]=0
// DUMP 0: [3] * N
kernel void k(global int *o)
{
    int l = get_global_id(0), sum = 0;
    int t[4];
    for (int i = 0; i < 3; i++) {
        if (i == 0) t[l & 3] = 1;
        sum += t[l & 3];
    }
    o[l] = sum;
}
