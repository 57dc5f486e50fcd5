// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=null --arg=int[4]=0
// DUMP 1: [7] * 4
kernel void k(global int *x, global int *o)
{
    o[get_global_id(0)] = x ? x[get_global_id(0)] : 7;
}
