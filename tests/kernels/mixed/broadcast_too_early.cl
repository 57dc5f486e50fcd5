// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
kernel void k(global int *o)
{
    local int n;
    if (get_local_id(0) == 0) n = 5; // EXPECT data-race 'n'
    o[get_local_id(0)] = n; // OTHER data-race
}
