// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[1]=0
kernel void k(global int *found)
{
    found[0] = get_local_id(0) == 7 ? 2 : 1; // EXPECT data-race 'found'
}
