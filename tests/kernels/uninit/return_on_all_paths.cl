// SPDX-License-Identifier: MIT
// DUMP 0: [1, 2, 1, 2]
// RUN: --global=4 --local=4 --arg=int[4]=0
int sign(int x)
{
    switch (x & 1) {
    case 0: return 1;
    case 1: return 2;
    }
}
kernel void k(global int *o)
{
    o[get_global_id(0)] = sign(get_global_id(0));
}
