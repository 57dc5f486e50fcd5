// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=1 --arg=int[65]=0
// SAYS: the two are in different work-groups
kernel void shift(global int *p)
{
    int i = get_global_id(0);
    int next = p[i + 1]; // OTHER data-race
    p[i] = next + 1; // EXPECT data-race 'p'
}
