// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
int pick(int x)
{
    switch (x & 3) {
    case 0: return 5;
    case 1: return 6;
    case 2: return 7;
    default: __builtin_unreachable(); // EXPECT unreachable
    }
}
kernel void k(global int *o)
{
    o[get_global_id(0)] = pick(get_global_id(0));
}
