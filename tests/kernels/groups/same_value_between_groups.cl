// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=2 --arg=int[1]=0
// DUMP 0: [7]
kernel void flag(global int *p)
{
    if (get_global_id(0) > 3) p[0] = 7; // EXPECT same-value-race 'p'
}
