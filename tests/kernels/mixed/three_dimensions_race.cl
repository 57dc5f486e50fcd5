// SPDX-License-Identifier: MIT
// RUN: --global=4,4,4 --local=4,4,1 --arg=int[16]=0
kernel void k(global int *o)
{
    o[get_global_id(1) * 4 + get_global_id(0)] = get_global_id(2); // EXPECT data-race 'o'
}
