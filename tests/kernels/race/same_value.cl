// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[1]=0
// DUMP 0: [1]
kernel void flag(global int *found)
{
    if (get_global_id(0) % 3 == 0)
        *found = 1; // EXPECT same-value-race 'found'
}
