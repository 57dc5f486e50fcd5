// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[4]=0
kernel void k(global int *o)
{
    o[0x7fffffffffffffffl] = 1; // EXPECT out-of-bounds 'o'
}
