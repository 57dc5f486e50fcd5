// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[1]=0
kernel void k(global volatile int *n)
{
    *n += 1; // EXPECT data-race 'n'
}
