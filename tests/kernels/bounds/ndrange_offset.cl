// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --offset=4 --arg=int[4]=0
kernel void k(global int *o)
{
    o[get_global_id(0)] = 1; // EXPECT out-of-bounds 'o'
}
