// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=null --arg=int[4]=0
kernel void k(global int *x, global int *o)
{
    o[get_global_id(0)] = x[get_global_id(0)]; // EXPECT null-dereference
}
