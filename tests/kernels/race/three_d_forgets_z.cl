// SPDX-License-Identifier: MIT
// RUN: --global=4,3,2 --local=2,3,1 --arg=int[24]=0
kernel void k(global int *o)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    o[i] = get_global_id(2); // EXPECT data-race 'o'
}
