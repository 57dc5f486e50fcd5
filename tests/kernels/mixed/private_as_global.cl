// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
void put(global int *p, int v)
{
    *p = v; // EXPECT address-space
}
kernel void k(global int *o)
{
    int own = 0;
    put((global int *)(ulong)&own, 5);
    o[get_global_id(0)] = own;
}
