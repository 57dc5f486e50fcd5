// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    local int t[4];
    t[get_local_id(0)] = 1;
    global int *p = (global int *)(size_t)t;
    o[get_global_id(0)] = p[get_local_id(0)]; // EXPECT address-space
}
