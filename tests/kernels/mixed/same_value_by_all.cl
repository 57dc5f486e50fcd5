// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[1]=0
kernel void k(global int *found)
{
    found[0] = 1; // EXPECT same-value-race 'found'
}
