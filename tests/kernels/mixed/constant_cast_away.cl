// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
constant int table[4] = {1, 2, 3, 4};
kernel void k(global int *o)
{
    global int *p = (global int *)(size_t)table;
    p[get_global_id(0)] = 1; // EXPECT address-space read-only-write
    o[get_global_id(0)] = 1;
}
