// SPDX-License-Identifier: MIT
// RUN: --global=8 --offset=4 --local=4 --arg=int[8]=0
kernel void k(global int *o)
{
    o[get_global_id(0)] = 1; // EXPECT out-of-bounds 'o'
}
