// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    int g = get_global_id(0);
    if (g == 3) __builtin_unreachable(); // EXPECT unreachable
    o[g] = 1;
}
