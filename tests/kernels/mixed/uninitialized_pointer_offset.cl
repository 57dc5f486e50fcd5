// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[16]=0
kernel void k(global int *o)
{
    int at[2];
    at[0] = 1;
    o[at[1] & 15] = 5; // EXPECT uninitialized-read 'at'
}
