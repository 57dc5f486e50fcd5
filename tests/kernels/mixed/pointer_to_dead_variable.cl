// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
int *own(int v)
{
    int x[2] = {v, v};
    int *p = x;
    return p;
}
kernel void k(global int *o)
{
    int *p = own(3);
    o[get_global_id(0)] = *p; // EXPECT use-after-release
}
