// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o)
{
    int i = get_global_id(0);
    o[i] = 100 / (i - 3); // EXPECT division-by-zero
}
